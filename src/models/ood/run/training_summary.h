#pragma once

#include <cstddef>
#include <vector>

#include "models/ood/run/training_curve.h"

namespace headroom::ood {

/// The results of a training.
struct TrainingResult {
  std::size_t epochs_run = 0;  ///< interrupted runs included
  std::size_t best_epoch = 0;  ///< 0-based
  double best_auroc = 0;
  bool stopped_early = false;
  bool resumed = false;
  double train_time_seconds = 0;  ///< interrupted runs included
  double avg_epoch_time_seconds = 0;
  std::vector<EpochRecord> curve = {};  ///< the rows of training_curve.csv
  std::size_t oom_recoveries = 0;       ///< recoveries of this call
  /// Items (pairs of rows) in memory at once: planned, and at the end. The step's loss is over batch_size
  /// items in any case.
  std::size_t batch_size_planned = 0, batch_size_used = 0;
};

/// The course of a training, in the figures of the Python project's parameter study. Losses are those of the
/// epochs (mean over the batches).
struct TrainingSummary {
  double final_train_loss = 0, final_validation_loss = 0;
  double mean_gradient_norm = 0, largest_gradient_norm = 0;  ///< of the epochs' means, before clipping
  /// (mean of the first half - mean of the second half) / mean of the first half; 0 for a single epoch, and
  /// where the first half's losses are all 0 (a hinge that every pair satisfies).
  double convergence_rate = 0;
  double stability_score = 0;  ///< 1 / (1 + population deviation / mean); 1 where losses are all 0
};

/// `epochs`: at least one.
TrainingSummary summarize_training(const std::vector<EpochRecord>& epochs);

}  // namespace headroom::ood
