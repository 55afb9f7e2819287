#pragma once

#include <string>

#include "base/memory/plan/step_model.h"
#include "base/train/early_stopping.h"
#include "base/train/memory_saving_options.h"
#include "molecules/ood/losses/loss.h"
#include "molgauge/train.h"

namespace molgauge::ood {

/// The parsed options for training an energy head.
struct TrainingOptions : HeadTraining, EncoderTuning {
  LossOptions loss;
  EarlyStoppingRule early_stopping = EarlyStoppingRule::plain;
  train::MemorySavingOptions memory_saving;
  /// Initial settings of steps, chosen by the planner (training_plan.h). They do not change the result.
  memory::StepSettings strategy;

  bool resume = true;      ///< continue from the newest checkpoint of the run folder if there is one
  bool quiet = false;      ///< do not show progress
  bool log_epochs = true;  ///< a line in the log for every epoch
};

/// Returns a request with these options. It contains all options that a result or the memory of a training
/// depends on.
TrainRequest request_of(const TrainingOptions& options);

/// Throws UsageError with an option that is out of range.
void validate(const TrainingOptions& options);

/// The options that the result depends on, as JSON (options::Part::training). The training length (epochs,
/// patience) is not included, because a checkpoint may be continued with a longer training.
std::string resume_identity(const TrainingOptions& options);

}  // namespace molgauge::ood
