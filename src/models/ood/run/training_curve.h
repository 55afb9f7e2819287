#pragma once

#include <filesystem>
#include <vector>

#include "models/ood/losses/pair_statistics.h"

namespace headroom::ood {

/// The results of one epoch.
struct EpochRecord {
  double train_loss = 0;                  ///< mean over the batches, dropout on
  double validation_loss = 0;             ///< at the end of the epoch
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< on the validation molecules, at the end of the epoch; fractions
  double learning_rate = 0;               ///< rate during the epoch
  double gradient_norm = 0;               ///< L2 over all parameters, mean over the batches, before clipping
};

/// Writes training_curve.csv, atomically: epoch (1-based), train_loss, validation_loss, auroc, aupr, fpr95,
/// learning_rate, gradient_norm, a row an epoch; numbers with as many digits as it takes to read the same
/// double back. Contains no times, to keep the files of equal trainings bit-identical.
void write_training_curve(const std::filesystem::path& path, const std::vector<EpochRecord>& epochs);

/// Writes training_dynamics.csv, atomically: epoch (1-based), misranked_ratio, boundary_ratio, avg_margin, a
/// row an epoch; numbers with as many digits as it takes to read the same double back.
void write_training_dynamics(const std::filesystem::path& path, const std::vector<PairStatistics>& epochs);

}  // namespace headroom::ood
