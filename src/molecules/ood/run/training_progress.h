#pragma once

#include <cstddef>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "molecules/ood/losses/loss.h"
#include "molecules/ood/run/training_curve.h"

namespace molgauge::ood {

/// Sums over the batches of the running epoch.
struct EpochSums {
  std::size_t batches = 0;
  double loss = 0;
  double gradient_norm = 0;
  PairStatistics pairs;

  /// `norm`: L2 norm of the gradient of the batch, before clipping.
  void add(const LossValue& batch, double norm);
  double mean_loss() const { return loss / static_cast<double>(batches); }
  double mean_gradient_norm() const { return gradient_norm / static_cast<double>(batches); }
  PairStatistics mean_pairs() const;
};

/// The progress of the training of a head, in addition to the counters of the trainer (train::TrainingState).
struct TrainingProgress {
  EpochSums sums;                        ///< sums of the running epoch
  std::vector<EpochRecord> curve;        ///< records of finished epochs
  std::vector<PairStatistics> dynamics;  ///< statistics of finished epochs; empty without pair statistics
};

/// Adds `progress` to the fields of a checkpoint, except for the number of batches, which the trainer writes.
void add_progress(const TrainingProgress& progress, nlohmann::json& fields);
/// Throws nlohmann::json::exception if `fields` do not come from add_progress() and the trainer.
TrainingProgress progress_in(const nlohmann::json& fields);

}  // namespace molgauge::ood
