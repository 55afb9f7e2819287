#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/core/device.h"
#include "base/runtime/torch_backend.h"
#include "molecules/encoders/registry.h"
#include "molecules/ood/head/evaluation.h"
#include "molgauge/engine.h"

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

/// What libmolgauge_torch.so does with molecules: torch_part<MoleculeTorch>().
class MoleculeTorch {
 public:
  virtual ~MoleculeTorch() = default;

  // The verbs that train, and the plans of their phases.
  virtual TrainReport train(const TrainRequest& request) = 0;
  virtual BaselineReport baseline(const BaselineRequest& request) = 0;
  virtual ExperimentReport run_experiment(const ExperimentRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const TrainRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const BaselineRequest& request) = 0;

  /// Reads a method from a folder of baselines. If `method` is empty, reads the only method. `threads`: 0
  /// means one for each processor. Throws UsageError, which lists the existing methods, if the choice is
  /// ambiguous. Throws InputError with the file if the file is missing or damaged.
  virtual StoredBaseline load_baseline(const std::string& run, const std::string& method,
                                       std::size_t threads) const = 0;
  /// Makes an encoder that uses the operators of LibTorch. It runs on a GPU, or on the CPU to plan GPU
  /// memory.
  virtual std::unique_ptr<encoders::Encoder> make_encoder(const std::string& name,
                                                          const encoders::EncoderSettings& settings,
                                                          Device device) const = 0;
  /// Scores features [n, width] on a GPU, like ood::score_features. The head stays on the GPU.
  using Scorer = std::function<ood::Scores(const ops::Floats& features)>;
  virtual Scorer make_scorer(const ood::HeadWeights& head, std::size_t batch_size, Device gpu) const = 0;
};

}  // namespace molgauge::session
