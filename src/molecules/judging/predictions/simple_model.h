#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "molecules/judging/reference.h"

namespace molgauge::domain {

/// Predictions of a simple model for the calibration molecules. The model was fitted without the scaffold of
/// the molecule.
struct SimplePredictions {
  std::vector<double> of_calibration;  ///< empty if there are too few measured values for a model
  std::string model;                   ///< the model in words
};

/// The data of a simple model.
struct SimpleModelData {
  const Molecules& training;
  const std::vector<std::string>& training_scaffolds;
  std::span<const double> training_values;  ///< NaN if missing. Empty without a column of values
  const Molecules& calibration;
  const std::vector<std::string>& smiles;  ///< of the calibration molecules
  const std::vector<std::string>& scaffolds;
  std::span<const double> measured;
  bool are_classes = false;  ///< predictions are then probabilities within [0, 1]
  std::size_t threads = 1;
};

/// Predicts the calibration molecules with a ridge regression on the compared features. Training molecules
/// with values fit the model. If fewer than kMinLabelled (label_curve.h) have values, the calibration
/// molecules fit it in cross-validation over scaffolds. The penalty is 0.01, 0.1, 1, 10 or 100 times the
/// number of molecules. It is the one with the lowest squared error on a fifth of the scaffolds.
SimplePredictions predict_simply(const SimpleModelData& data);

}  // namespace molgauge::domain
