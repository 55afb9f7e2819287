#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/runtime/budget_scope.h"
#include "base/runtime/failure_log.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molecules/ood/run/trainer.h"
#include "molecules/ood/run/training_plan.h"
#include "molgauge/train.h"

namespace molgauge::verbs {

/// Information about the preparation of a training.
struct Preparation {
  ood::TrainingPlan plan;
  MemoryPlan encoding_plan;
  std::size_t oom_recoveries = 0;
  std::size_t feature_width = 0;
  std::uint64_t live_bytes = 0;  ///< bytes of the plan that are already allocated
};

/// The molecules of a training, ready for its steps. The object has their features, or the outputs of the
/// frozen layers of an encoder.
class PreparedBenchmark {
 public:
  virtual ~PreparedBenchmark() = default;
  const Preparation& preparation() const { return preparation_; }
  virtual ood::TrainingResult train(const ood::TrainingOptions& options, const std::filesystem::path& run,
                                    const ood::TrainingHooks& hooks) = 0;
  /// Writes the scores of the validation molecules (keep_validation_scores). Returns the identity of the
  /// encoder that belongs to the run.
  virtual std::string finish(const std::filesystem::path& run, std::size_t batch_size) = 0;

 protected:
  Preparation preparation_;
};

/// Plans the training, encodes the molecules and moves their features to the device. If the request trains
/// layers of the encoder, only the frozen layers run here, on the CPU and once for each molecule. Their
/// outputs stay in host memory, or in a file in the run folder. Throws the errors of EncodingSession,
/// require_expected_weights() and frozen_layers(), and Error with exit code 4 if there is too little memory.
std::unique_ptr<PreparedBenchmark> prepare_benchmark(const TrainRequest& request,
                                                     const ood::TrainingOptions& options,
                                                     const datasets::OodBenchmark& benchmark, Device device,
                                                     runtime::BudgetScope& memory,
                                                     pipeline::FailureLog& failed);

}  // namespace molgauge::verbs
