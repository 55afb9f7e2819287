#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"
#include "molgauge/choices.h"

namespace molgauge::domain {

/// A number that is known before the measured value, and that grows with the error of a prediction.
enum class ErrorTerm : std::uint8_t {
  distance,                      ///< PredictionPlace::distance
  uncertainty,                   ///< UserPrediction::uncertainty
  quantile_range,                ///< UserPrediction::upper - lower
  disagreement_by_features,      ///< |UserPrediction::value - Opinion::by_features|
  disagreement_by_environments,  ///< |UserPrediction::value - Opinion::by_environments|
  neighbours_error,              ///< Opinion::neighbours_error
  neighbours_spread,             ///< Opinion::neighbours_spread
};

/// The terms of the difficulty of intervals. For IntervalMethod::quantiles, the difficulty only determines
/// the expected error. For IntervalMethod::opinion, the terms are the distance, and each of the uncertainty
/// and the terms of the second opinion that all molecules have.
std::vector<ErrorTerm> terms_of(IntervalMethod method, const std::vector<CalibrationMolecule>& molecules);

/// Whether all molecules have a second opinion.
bool have_opinions(const std::vector<CalibrationMolecule>& molecules);

/// The terms of the probability of a wrong class: the terms of IntervalMethod::opinion.
std::vector<ErrorTerm> terms_of_classes(const std::vector<CalibrationMolecule>& molecules);

/// The numbers of a prediction, in the order of `terms`. A number is NaN if the prediction lacks it.
std::vector<double> values_of(std::span<const ErrorTerm> terms, const UserPrediction& prediction,
                              const PredictionPlace& place);

}  // namespace molgauge::domain
