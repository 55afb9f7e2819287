#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "base/core/device.h"
#include "base/numerics/ops/precision.h"
#include "base/runtime/gpu_memory.h"
#include "molgauge/doctor.h"

namespace molgauge::runtime {

/// The part of the engine that needs LibTorch: verbs that train, and GPUs. It is in libmolgauge_torch.so,
/// which is opened only on demand, because LibTorch loads hundreds of libraries.
class TorchBackend {
 public:
  virtual ~TorchBackend() = default;

  /// Returns findings for `molgauge doctor`: the version of LibTorch, its matrix library, and the GPUs that
  /// it finds.
  virtual std::vector<Finding> diagnose() const = 0;

  // The number of GPUs that LibTorch can use.
  virtual std::size_t gpu_count() const = 0;
  /// Parses "cuda" and "cuda:N". Throws UsageError for other texts, and Error if the GPU is missing.
  virtual Device parse_gpu(const std::string& text) const = 0;
  virtual std::unique_ptr<GpuMemory> memory_of(Device gpu) const = 0;
  /// The precision of `--precision fast` on this GPU.
  virtual ops::Precision fastest_precision(Device gpu) const = 0;
  /// While the returned object exists, each operator of LibTorch uses one thread, because workers call
  /// operators in parallel.
  virtual std::shared_ptr<void> one_operator_thread() const = 0;

  /// The object of a product (src/CMakeLists.txt) in the library. `interface`: its abstract class.
  virtual void* part(const std::type_info& interface) const = 0;
};

/// Returns the library and opens it at the first call. Throws Error if it cannot be opened, with exit code 4
/// if the limits of the process leave too little memory.
TorchBackend& torch_backend();

/// Returns the object of a product in the library: torch_part<MoleculeTorch>(). Throws like torch_backend().
template <typename Interface>
Interface& torch_part() {
  return *static_cast<Interface*>(torch_backend().part(typeid(Interface)));
}

/// Whether the library has been opened and is in memory.
bool is_torch_backend_open();
/// The result of find_torch_backend(), which opens the library at the first call.
struct FoundTorchBackend {
  TorchBackend* part = nullptr;
  std::string problem;  ///< reason why the library cannot be opened. Empty if it is open
};
FoundTorchBackend find_torch_backend();

}  // namespace molgauge::runtime

/// The only symbol of libmolgauge_torch.so that is looked up. Returns null if the version differs.
extern "C" molgauge::runtime::TorchBackend* molgauge_torch_part(const char* version);
