#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace headroom::domain {

/// A missing number.
inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// The output of the user's model for a molecule. In classification the prediction is the probability of
/// class 1.
struct UserPrediction {
  double value = kNoNumber;
  double uncertainty = kNoNumber;               ///< NaN without an uncertainty column
  double lower = kNoNumber, upper = kNoNumber;  ///< predicted quantiles; NaN without quantile columns
};

/// The position of a molecule relative to the training set.
struct PredictionPlace {
  double distance = 0;        ///< distance as in the column domain_distance
  bool new_scaffold = false;  ///< true if no training molecule has the same scaffold
  std::size_t verdict = 0;    ///< index of the Verdict
};

/// A molecule with a measured value and a prediction of a model that did not see it.
struct CalibrationMolecule {
  std::string smiles, scaffold;  ///< canonical SMILES
  bool in_training = false;
  double measured = 0;
  UserPrediction predicted;
  PredictionPlace place;
};

}  // namespace headroom::domain
