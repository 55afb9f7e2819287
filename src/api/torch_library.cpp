// libmolgauge_torch.so: the parts of the engine that need LibTorch.

#include <cstring>
#include <map>
#include <typeindex>

#include <fmt/format.h>

#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/device_allocator.h"
#include "base/numerics/torch/device_memory.h"
#include "base/numerics/torch/device_trace.h"
#include "base/numerics/torch/matrix_buffers.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/numerics/torch/pinned_memory.h"
#include "base/numerics/torch/precision.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/runtime/torch_backend.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/verbs/torch_verbs.h"
#include "pockets/verbs/pocket_torch.h"

namespace molgauge::verbs {
namespace {

class TorchGpuMemory final : public runtime::GpuMemory {
 public:
  explicit TorchGpuMemory(c10::Device device) : device_(device) {}

  std::unique_ptr<memory::DeviceProbe> probe() const override { return torch::device_probe(device_); }
  memory::DeviceSpace space() const override { return torch::device_space(device_); }
  memory::AllocatorAccess access() const override { return torch::allocator_access(device_); }
  void release_pinned() override {
    if (torch::PinnedMemory* const pinned = torch::pinned_memory()) {
      pinned->release();
    }
  }
  void limit(std::uint64_t bytes) override { torch::limit_device_memory(device_, bytes); }
  void set_allocator(const std::string& settings) override { torch::set_device_allocator(settings, device_); }
  std::string allocator_settings() const override { return torch::device_allocator_settings(); }
  std::shared_ptr<void> trace(allocator::AllocationTrace& trace) override {
    return std::make_shared<torch::DeviceTrace>(device_, trace);
  }

 private:
  c10::Device device_;
};

Finding libtorch() {
  Finding finding{"LibTorch", torch::torch_version(), "", Finding::State::good};
  // LibTorch computes matrix products with the BLAS library that the system selects. The reference BLAS is 20
  // times slower than OpenBLAS and MKL.
  if (!torch::has_fast_matrix_library()) {
    finding.state = Finding::State::note;
    finding.text += ", matrix products by a BLAS that is neither OpenBLAS nor MKL";
    finding.advice = "if it is Debian's reference BLAS: apt-get install libopenblas0-openmp";
  }
  return finding;
}

class TorchLibrary final : public runtime::TorchBackend {
 public:
  // Starts to count LibTorch tensors before the first tensor exists.
  TorchLibrary() { torch::cpu_tensor_memory(); }

  std::vector<Finding> diagnose() const override {
    const std::size_t gpus = torch::gpu_count();
    const std::string text = gpus > 0 ? fmt::format("{} GPU(s). --device auto uses the first", gpus)
                                      : "cpu (this LibTorch sees no GPU)";
    return {libtorch(), {"device", text, "", Finding::State::good}};
  }

  std::size_t gpu_count() const override { return torch::gpu_count(); }
  Device parse_gpu(const std::string& text) const override { return {.gpu = torch::parse_gpu(text).index()}; }
  std::unique_ptr<runtime::GpuMemory> memory_of(Device gpu) const override {
    return std::make_unique<TorchGpuMemory>(torch::to_c10(gpu));
  }
  ops::Precision fastest_precision(Device gpu) const override {
    return torch::fastest_precision(torch::to_c10(gpu));
  }
  std::shared_ptr<void> one_operator_thread() const override {
    return std::make_shared<torch::OperatorThreads>(1);
  }
  void* part(const std::type_info& interface) const override {
    static const std::map<std::type_index, void*> parts = {
        {typeid(session::MoleculeTorch), &molecule_torch()},
        {typeid(PocketTorch), &pocket_torch()},
    };
    return parts.at(interface);
  }
};

}  // namespace
}  // namespace molgauge::verbs

extern "C" molgauge::runtime::TorchBackend* molgauge_torch_part(const char* version) {
  static molgauge::verbs::TorchLibrary library;
  return std::strcmp(version, MOLGAUGE_VERSION) == 0 ? &library : nullptr;
}
