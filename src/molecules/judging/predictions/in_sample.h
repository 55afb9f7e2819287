#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "molecules/judging/environment_lists.h"
#include "molecules/judging/predictions/calibration_molecule.h"

namespace molgauge::domain {

/// Returns whether `errors` are so much smaller than `others` that the model was probably fitted on these
/// molecules. There are two conditions. The median of `errors` is at most half of the median of `others`. The
/// one-sided Mann-Whitney test (normal approximation with correction for ties) gives p < 0.001. Returns false
/// if `errors` or `others` has fewer than ten elements.
bool are_much_smaller(std::span<const double> errors, std::span<const double> others);

/// The errors of the predictions of a model and of a nearest-neighbour predictor.
struct MissComparison {
  std::size_t molecules = 0;
  double own = 0,
         nearest = 0;  ///< regression: median absolute errors; classification: shares of wrong classes
  bool are_in_sample = false;
};

/// Compares predictions of training molecules with the similarity-weighted mean of the measured values of
/// their nearest neighbours. A molecule has up to three neighbours by Tanimoto similarity, and is not its own
/// neighbour. If the error of the predictions is less than 0.43 times the error of the neighbours, the
/// predictions are considered in-sample. On lipo and esol the ratio was 0.12 to 0.38 for models that fit
/// their training molecules closely, and 0.57 to 1.52 in cross-validation (bench/in_sample_predictions.py).
/// With fewer than 30 molecules, or if the neighbours give fewer than ten wrong classes, the predictions are
/// not considered in-sample.
MissComparison compare_with_neighbours(const EnvironmentLists& environments, std::span<const double> measured,
                                       std::span<const double> predicted, bool are_classes);

}  // namespace molgauge::domain
