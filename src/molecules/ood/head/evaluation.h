#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/recover/recovery.h"
#include "molecules/ood/head/scoring_head.h"
#include "molecules/ood/metrics/metrics.h"
#include "molgauge/validation_test_gap.h"

namespace molgauge::ood {

/// The energies of rows, in the order of the rows.
struct Scores {
  std::vector<float> energies;
  memory::RecoveryCounts memory;  ///< recovery counts; the unit is rows in memory at the same time
};

/// Computes the energies of features [n, width] on the CPU. Scores `batch_size` rows at a time. Each thread
/// processes shards of at most 512 rows. A row that is not finite (a failed molecule) has the energy NaN.
/// After an out-of-memory error, rows are scored again in smaller batches. The results are bit-identical,
/// because the energy of a row does not depend on the batch.
Scores score_features(const ScoringHead& head, const ops::Floats& features, std::size_t batch_size,
                      std::size_t threads);

/// Peak bytes of score_features(), excluding the features and the head.
std::uint64_t scoring_bytes(std::int64_t feature_width, std::int64_t hidden_width, std::size_t batch_size,
                            std::size_t threads);

/// The results of a head on test molecules.
struct Evaluation {
  std::vector<float> id_scores, ood_scores;        ///< scores in the order of the rows
  std::vector<std::string> id_smiles, ood_smiles;  ///< SMILES of the same molecules; may be empty
  DetectionMetrics metrics;
  ScoreSummary id, ood;
  memory::RecoveryCounts memory;  ///< recovery counts; the unit is rows in memory at the same time
  /// The number of molecules that occur in several parts of the benchmark, or in the training data of the
  /// head. There should be none. Not set if unknown.
  std::optional<std::size_t> shared_molecules = 0;
  bool overlap_accepted = false;  ///< the user accepted overlapping parts in the request
  /// The comparison with the validation molecules. Not set if the validation scores are unknown.
  std::optional<ValidationTestGap> gap = {};
};

/// Computes the metrics of ID and OOD scores. Throws InputError if the ID or the OOD scores are empty, or if
/// a score is not finite.
Evaluation evaluate_scores(Scores id, Scores ood);

}  // namespace molgauge::ood
