#pragma once

#include <filesystem>
#include <vector>

#include "molecules/ood/losses/pair_statistics.h"

namespace molgauge::ood {

/// The results of one epoch.
struct EpochRecord {
  double train_loss = 0;                  ///< mean over the batches, dropout on
  double validation_loss = 0;             ///< loss at the end of the epoch
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions on the validation molecules at the end of the epoch
  double learning_rate = 0;               ///< rate during the epoch
  double gradient_norm = 0;  ///< L2 norm over all parameters before clipping; mean over the batches
};

/// Writes training_curve.csv atomically, with a row for each epoch: epoch (1-based), train_loss,
/// validation_loss, auroc, aupr, fpr95, learning_rate, gradient_norm. Numbers have enough digits to be read
/// back exactly. The file contains no times, so files of equal trainings are bit-identical.
void write_training_curve(const std::filesystem::path& path, const std::vector<EpochRecord>& epochs);

/// Writes training_dynamics.csv atomically, with a row for each epoch: epoch (1-based), misranked_ratio,
/// boundary_ratio, avg_margin. Numbers have enough digits to be read back exactly.
void write_training_dynamics(const std::filesystem::path& path, const std::vector<PairStatistics>& epochs);

}  // namespace molgauge::ood
