#pragma once

#include <vector>

#include "ood/training_curve.h"

namespace headroom::ood {

/// How a training went, in the figures of the Python project's parameter study. Losses are those of the
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
