#pragma once

#include <span>
#include <string>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/predictions/error_terms.h"

namespace molgauge::domain {

/// The reason why a prediction is doubtful: the term that contributes most to its expected error.
class Doubt {
 public:
  Doubt() = default;
  /// `gradients`: coefficients of the terms in the expected error. `molecules`: calibration molecules, whose
  /// median of a term counts as usual.
  Doubt(std::vector<ErrorTerm> terms, std::span<const double> gradients,
        const std::vector<CalibrationMolecule>& molecules);

  /// Describes the term with the largest product of its coefficient and the amount by which it exceeds its
  /// median. Empty if no term with a positive coefficient exceeds its median.
  std::string of(const UserPrediction& prediction, const PredictionPlace& place) const;

 private:
  std::vector<ErrorTerm> terms_;
  std::vector<double> gradients_, medians_;
};

}  // namespace molgauge::domain
