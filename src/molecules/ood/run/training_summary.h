#pragma once

#include <cstddef>
#include <vector>

#include "molecules/ood/run/training_curve.h"

namespace molgauge::ood {

/// The results of a training.
struct TrainingResult {
  std::size_t epochs_run = 0;  ///< including epochs before an interruption
  std::size_t best_epoch = 0;  ///< 0-based
  double best_auroc = 0;
  bool stopped_early = false;
  bool resumed = false;
  double train_time_seconds = 0;  ///< including the time before an interruption
  double avg_epoch_time_seconds = 0;
  std::vector<EpochRecord> curve = {};  ///< the rows of training_curve.csv
  std::size_t oom_recoveries = 0;       ///< recoveries of this call
  /// Number of items (pairs of rows) in memory at once: as planned, and at the end of the training. The loss
  /// of a step always covers batch_size items.
  std::size_t batch_size_planned = 0, batch_size_used = 0;
};

/// Statistics of a training, as in the parameter study of the Python project. Losses are means over the
/// batches of an epoch.
struct TrainingSummary {
  double final_train_loss = 0, final_validation_loss = 0;
  double mean_gradient_norm = 0,
         largest_gradient_norm = 0;  ///< statistics over the epoch means, before clipping
  /// (a - b) / a. a and b are the mean losses of the first and of the second half of the epochs. The rate is
  /// 0 for a single epoch, or if a is 0. The hinge loss is 0 if all pairs satisfy the margin.
  double convergence_rate = 0;
  double stability_score = 0;  ///< 1 / (1 + population deviation / mean); 1 if all losses are 0
};

/// `epochs`: at least one.
TrainingSummary summarize_training(const std::vector<EpochRecord>& epochs);

}  // namespace molgauge::ood
