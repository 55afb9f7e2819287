#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "models/domain/environment_lists.h"
#include "models/domain/predictions/calibration_molecule.h"

namespace headroom::domain {

/// Returns whether `errors` are so much smaller than `others` that their model was probably fitted on these
/// molecules. Criterion: their median is at most half of the other median, and the one-sided Mann-Whitney
/// test (normal approximation with correction for ties) gives p < 0.001. False if one side has fewer than ten
/// molecules.
bool are_much_smaller(std::span<const double> errors, std::span<const double> others);

/// The misses of predictions and of a simple alternative.
struct MissComparison {
  std::size_t molecules = 0;
  double own = 0,
         nearest = 0;  ///< regression: median absolute errors; classification: shares of wrong classes
  bool are_in_sample = false;
};

/// Compares predictions of training molecules with the similarity-weighted mean of the measured values of
/// their nearest neighbours (up to three, by Tanimoto similarity, without themselves). Predictions that miss
/// less than 0.43 times as much are taken as in-sample predictions. On lipo and esol the ratio was 0.12 to
/// 0.38 for models that fit their training molecules closely, and 0.57 to 1.52 in cross-validation
/// (bench/in_sample_predictions.py). Nothing is decided with fewer than 30 molecules, or fewer than ten
/// misses of the neighbours in classification.
MissComparison compare_with_neighbours(const EnvironmentLists& environments, std::span<const double> measured,
                                       std::span<const double> predicted, bool are_classes);

}  // namespace headroom::domain
