#pragma once

#include <string>

#include "headroom/train.h"
#include "memory/plan/step_model.h"
#include "ood/losses/loss.h"
#include "train/early_stopping.h"
#include "train/frugality.h"

namespace headroom::ood {

/// How an energy head is trained: the options of a request, read.
struct TrainingOptions : HeadTraining {
  LossOptions loss;
  train::EarlyStoppingRule early_stopping = train::EarlyStoppingRule::plain;
  train::Frugality frugality;
  /// How steps are run at first, as the planner chose it (training_plan.h); changes no byte of the result.
  memory::StepSettings way;

  bool resume = true;      ///< go on from the newest checkpoint of the run folder when there is one
  bool quiet = false;      ///< no progress display
  bool log_epochs = true;  ///< a line in the log for every epoch
};

/// The request that asks for these options. Everything that a result depends on is in it.
TrainRequest request_of(const TrainingOptions& options);

/// Throws UsageError naming the option when one is out of range.
void validate(const TrainingOptions& options);

/// Every option that the result depends on, as JSON (options::Part::training). How long to train (epochs,
/// patience) is not part of it: a checkpoint may be continued with more of those, not with other options.
std::string resume_identity(const TrainingOptions& options);

}  // namespace headroom::ood
