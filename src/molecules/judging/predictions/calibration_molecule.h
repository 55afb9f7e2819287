#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace molgauge::domain {

/// A missing number.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The output of the user's model for a molecule. In classification the prediction is the probability of
/// class 1.
struct UserPrediction {
  double value = kNoNumber;
  double uncertainty = kNoNumber;               ///< NaN without an uncertainty column
  double lower = kNoNumber, upper = kNoNumber;  ///< predicted quantiles; NaN without quantile columns
};

/// The opinion of Molgauge's own predictors on a molecule (second_opinion.h). Numbers are NaN if measured
/// values of the training molecules are missing.
struct Opinion {
  double by_features = kNoNumber;        ///< prediction from the features. NaN if they were learned
  double by_environments = kNoNumber;    ///< prediction from the atom environments
  double neighbours_error = kNoNumber;   ///< mean out-of-fold error for the nearest training molecules
  double neighbours_spread = kNoNumber;  ///< standard deviation of the values of these molecules
};

/// The position of a molecule relative to the training set.
struct PredictionPlace {
  double distance = 0;        ///< distance as in the column domain_distance
  bool new_scaffold = false;  ///< true if no training molecule has the same scaffold
  std::size_t verdict = 0;    ///< index of the Verdict
  Opinion opinion = {};
};

/// A molecule with a measured value and a prediction of a model that did not see it.
struct CalibrationMolecule {
  std::string smiles, scaffold;  ///< canonical SMILES
  bool in_training = false;
  double measured = 0;
  UserPrediction predicted;
  PredictionPlace place;
  double simple_prediction = kNoNumber;  ///< prediction of Molgauge's own model (simple_model.h)
  std::size_t measurements = 1;          ///< merged measurements of this molecule (repeated_molecules.h)
  std::size_t line = 0;                  ///< line in the calibration file. 0 if unknown
};

/// The absolute error of the prediction. For classes, the difference of the class and the probability.
inline double error_of(const CalibrationMolecule& molecule) {
  return std::abs(molecule.measured - molecule.predicted.value);
}

/// The measured value, moved towards the prediction if the error is larger than `limit`.
inline double winsorised_value(const CalibrationMolecule& molecule, double limit) {
  if (error_of(molecule) <= limit) {
    return molecule.measured;
  }
  return molecule.predicted.value + (molecule.measured > molecule.predicted.value ? limit : -limit);
}

}  // namespace molgauge::domain
