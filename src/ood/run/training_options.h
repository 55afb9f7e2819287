#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "memory/plan/step_model.h"
#include "ood/losses/loss.h"
#include "train/early_stopping.h"
#include "train/frugality.h"

namespace headroom::ood {

/// How an energy head is trained. Defaults are those of the published program.
struct TrainingOptions {
  LossOptions loss;
  std::size_t hidden_dim = 256;
  double dropout = 0.1;

  std::size_t epochs = 50;
  std::size_t batch_size = 512;       ///< B items: B ID and B OOD rows, B x B pairs
  std::size_t eval_batch_size = 256;  ///< likewise
  double learning_rate = 1e-4;
  double weight_decay = 1e-5;
  double grad_clip = 1.0;        ///< largest L2 norm of the gradient; 0: any
  std::size_t eval_steps = 100;  ///< optimiser steps between evaluations within an epoch; 0: none
  std::size_t patience = 10;     ///< epochs
  train::EarlyStoppingRule early_stopping = train::EarlyStoppingRule::plain;
  std::uint64_t seed = 38;  ///< of the initial parameters, the dropout and the training pairs

  train::Frugality frugality;
  /// How steps are run at first, as the planner chose it (training_plan.h); changes no byte of the result.
  memory::StepSettings way;

  bool resume = true;      ///< go on from the newest checkpoint of the run folder when there is one
  bool quiet = false;      ///< no progress display
  bool log_epochs = true;  ///< a line in the log for every epoch
};

/// Throws UsageError naming the option when one is out of range.
void validate(const TrainingOptions& options);

/// Every option that the result depends on, as JSON, except how long to train (epochs, patience): a
/// checkpoint may be continued with more of those, not with other options.
std::string resume_identity(const TrainingOptions& options);

}  // namespace headroom::ood
