#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/device.h"
#include "encoders/registry.h"
#include "engine/gpu_memory.h"
#include "headroom/engine.h"
#include "ood/evaluation.h"
#include "ops/precision.h"

namespace headroom::verbs {

/// The part of the engine that needs LibTorch: whatever trains, and GPUs. It lives in libheadroom_torch.so,
/// which is opened when something of it is wanted: LibTorch brings hundreds of libraries.
class TorchPart {
 public:
  virtual ~TorchPart() = default;

  // The verbs that train, as in headroom::Engine, and plans of their phases.
  virtual TrainReport train(const TrainRequest& request) = 0;
  virtual BaselineReport baseline(const BaselineRequest& request) = 0;
  virtual ExperimentReport run_experiment(const ExperimentRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const TrainRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const BaselineRequest& request) = 0;

  /// For `headroom doctor`: LibTorch's version, its matrix library, the GPUs that it sees.
  virtual std::vector<Finding> diagnose() const = 0;

  // GPUs.
  virtual std::size_t gpu_count() const = 0;
  /// Reads "cuda" and "cuda:N". Throws UsageError on other text, Error when the GPU is not here.
  virtual Device parse_gpu(const std::string& text) const = 0;
  virtual std::unique_ptr<GpuMemory> memory_of(Device gpu) const = 0;
  /// `--precision fast` there.
  virtual ops::Precision fastest_precision(Device gpu) const = 0;
  /// As encoders::make_encoder, by LibTorch's operators: on a GPU, or on the CPU for plans of what a GPU will
  /// hold.
  virtual std::unique_ptr<encoders::Encoder> make_encoder(const std::string& name,
                                                          const encoders::EncoderSettings& settings,
                                                          Device device) const = 0;
  /// As ood::score_features, on a GPU.
  virtual ood::Scores score(const ood::HeadWeights& head, const ops::Floats& features, std::size_t batch_size,
                            Device gpu) const = 0;
};

/// Opens it at the first call. Throws Error, which says how to get it, where it is not installed.
TorchPart& torch_part();
/// Whether it has been opened, and so is in memory.
bool is_torch_part_open();
/// Null where it is not installed, or cannot be opened.
TorchPart* find_torch_part();

}  // namespace headroom::verbs

/// The one symbol of libheadroom_torch.so that is looked up: null where the versions differ.
extern "C" headroom::verbs::TorchPart* headroom_torch_part(const char* version);
