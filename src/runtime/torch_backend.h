#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"
#include "models/encoders/registry.h"
#include "models/ood/head/evaluation.h"
#include "models/pocket/network.h"
#include "models/pocket/pocket_encoder.h"
#include "molgauge/engine.h"
#include "numerics/ops/precision.h"
#include "runtime/gpu_memory.h"

namespace molgauge::session {

/// A method from a folder of `molgauge baseline` that is ready to score, and information about its training.
struct StoredBaseline {
  std::string method, encoder, features, precision;
  PlacementOptions placement;    ///< conformer options, without the deadline
  std::string encoder_identity;  ///< result of encoder_identity()
  std::size_t feature_width = 0;
  std::vector<float> held_out;       ///< scores of held-out in-distribution molecules
  std::size_t batch_size = 0;        ///< number of rows that a thread scores at once
  std::uint64_t bytes_of_batch = 0;  ///< bytes that a thread needs for these rows
  /// Scores [n] of features [n, feature_width].
  std::function<std::vector<float>(const ops::Floats& features)> score;
};

/// The part of the engine that needs LibTorch: verbs that train, and GPUs. It is in libmolgauge_torch.so,
/// which is opened only on demand, because LibTorch loads hundreds of libraries.
class TorchBackend {
 public:
  virtual ~TorchBackend() = default;

  // The verbs of molgauge::Engine that train, and the plans of their phases.
  virtual TrainReport train(const TrainRequest& request) = 0;
  virtual BaselineReport baseline(const BaselineRequest& request) = 0;
  virtual ExperimentReport run_experiment(const ExperimentRequest& request) = 0;
  virtual PocketTrainReport train_pockets(const PocketTrainRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const TrainRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const BaselineRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const PocketTrainRequest& request) = 0;

  /// Reads a method from a folder of baselines. If `method` is empty, reads the only method. `threads`: 0
  /// means one for each processor. Throws UsageError, which lists the existing methods, if the choice is
  /// ambiguous. Throws InputError with the file if the file is missing or damaged.
  virtual StoredBaseline load_baseline(const std::string& run, const std::string& method,
                                       std::size_t threads) const = 0;

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
  /// Makes an encoder that uses the operators of LibTorch. It runs on a GPU, or on the CPU to plan GPU
  /// memory.
  virtual std::unique_ptr<encoders::Encoder> make_encoder(const std::string& name,
                                                          const encoders::EncoderSettings& settings,
                                                          Device device) const = 0;
  /// Scores features [n, width] on a GPU, like ood::score_features. The head stays on the GPU.
  using Scorer = std::function<ood::Scores(const ops::Floats& features)>;
  virtual Scorer make_scorer(const ood::HeadWeights& head, std::size_t batch_size, Device gpu) const = 0;
  /// Makes the encoder of RNA pockets, which uses the operators of LibTorch. It runs on a GPU, or on the CPU
  /// to plan GPU memory.
  virtual pocket::PocketEncoder make_pocket_encoder(const pocket::EncoderShape& shape,
                                                    const pocket::ParameterReader& parameters,
                                                    Device device) const = 0;
  /// Whether this build has the kernels that pocket encoders need on a GPU.
  virtual bool has_pocket_kernels() const = 0;
  /// GPU bytes that pocket encoders use in addition to the bytes that a plan on the CPU contains.
  virtual std::uint64_t device_bytes_of_pockets() const = 0;
  /// While the returned object exists, each operator of LibTorch uses one thread, because workers call
  /// operators in parallel.
  virtual std::shared_ptr<void> one_operator_thread() const = 0;
};

/// Returns the library and opens it at the first call. Throws Error if it cannot be opened, with exit code 4
/// if the limits of the process leave too little memory.
TorchBackend& torch_backend();
/// Whether the library has been opened and is in memory.
bool is_torch_backend_open();
/// The result of find_torch_backend(), which opens the library at the first call.
struct FoundTorchBackend {
  TorchBackend* part = nullptr;
  std::string problem;  ///< reason why the library cannot be opened. Empty if it is open
};
FoundTorchBackend find_torch_backend();

}  // namespace molgauge::session

/// The only symbol of libmolgauge_torch.so that is looked up. Returns null if the version differs.
extern "C" molgauge::session::TorchBackend* molgauge_torch_part(const char* version);
