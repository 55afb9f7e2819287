#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ood/losses/loss.h"
#include "ood/run/training_curve.h"
#include "train/early_stopping.h"
#include "train/loss_scale.h"

namespace headroom::ood {

/// Sums over the batches of the epoch under way.
struct EpochSums {
  std::size_t batches = 0;
  double loss = 0;
  double gradient_norm = 0;
  PairStatistics pairs;

  /// `norm`: of the batch's gradient, before it was clipped.
  void add(const LossValue& batch, double norm);
  double mean_loss() const { return loss / static_cast<double>(batches); }
  double mean_gradient_norm() const { return gradient_norm / static_cast<double>(batches); }
  PairStatistics mean_pairs() const;
};

/// Where a training stands, apart from tensors and random generators.
struct TrainingProgress {
  std::size_t epoch = 0;  ///< 0-based, under way
  EpochSums sums;         ///< its batches done so far
  std::size_t optimizer_steps = 0;
  train::EarlyStopping::State stopping;  ///< holds the best AUROC
  std::size_t best_epoch = 0;            ///< 0-based
  train::LossScale loss_scale;           ///< of float16 alone
  std::vector<EpochRecord> curve;        ///< of finished epochs
  std::vector<PairStatistics> dynamics;  ///< of finished epochs; empty without pair statistics
};

std::string to_json(const TrainingProgress& progress);
/// Throws nlohmann::json::exception when `text` is not what to_json() gave.
TrainingProgress progress_from_json(const std::string& text);

}  // namespace headroom::ood
