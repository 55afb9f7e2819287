#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "headroom/choices.h"
#include "models/domain/predictions/calibration_molecule.h"

namespace headroom::domain {

/// A number that is known before the measured value, and that grows with the error of a prediction.
enum class ErrorTerm : std::uint8_t {
  distance,        ///< PredictionPlace::distance
  uncertainty,     ///< UserPrediction::uncertainty
  quantile_range,  ///< UserPrediction::upper - lower
};

/// The terms of the difficulty of intervals. For IntervalMethod::quantiles, the difficulty only determines
/// the expected error.
std::vector<ErrorTerm> terms_of(IntervalMethod method);

/// The terms of the probability of a wrong class: the distance and, if all molecules have one, the
/// uncertainty.
std::vector<ErrorTerm> terms_of_classes(const std::vector<CalibrationMolecule>& molecules);

/// The numbers of a prediction, in the order of `terms`. A number is NaN if the prediction lacks it.
std::vector<double> values_of(std::span<const ErrorTerm> terms, const UserPrediction& prediction,
                              const PredictionPlace& place);

}  // namespace headroom::domain
