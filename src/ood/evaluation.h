#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "memory/recovery.h"
#include "ood/energy_head.h"
#include "ood/metrics.h"

namespace headroom::ood {

/// Energies of features [n, width] in batches of `batch_size` rows, so that the activations of one batch at a
/// time are in memory. A row that is not finite (a failed molecule) has the energy NaN. A batch for which
/// there is no memory is scored again, in parts, to the same bytes. On the CPU a row's energy depends on
/// neither the batch size nor the other rows.
std::vector<float> score_features(const EnergyHead& head, const at::Tensor& features, std::size_t batch_size);

/// A head on test molecules.
struct Evaluation {
  std::vector<float> id_scores, ood_scores;        ///< in the order of the rows
  std::vector<std::string> id_smiles, ood_smiles;  ///< of the same molecules; may be left empty
  DetectionMetrics metrics;
  ScoreSummary id, ood;
  memory::RecoveryCounts memory;  ///< units: rows at once
  /// Molecules that stand in parts which must not share any, or that the head was trained on; none: unknown.
  std::optional<std::size_t> shared_molecules = 0;
  bool overlap_accepted = false;  ///< was asked for
};

/// Scores all rows of both sides. Throws InputError when a side is empty or has a row that is not finite.
Evaluation evaluate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         std::size_t batch_size);

}  // namespace headroom::ood
