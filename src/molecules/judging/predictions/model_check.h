#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "molecules/judging/clustered_estimates.h"
#include "molecules/judging/predictions/calibration_molecule.h"

namespace molgauge::domain {

/// What seems to be wrong with predictions.
enum class ModelFault : std::uint8_t {
  wild,      ///< a few errors are far larger than all others
  constant,  ///< all predictions are equal
  units,     ///< another scale, such as concentrations instead of their logarithms
  sign,      ///< high predictions for low measured values
  order,     ///< no relation to the measured values, for example because rows were shuffled
  shift,     ///< all predictions are too high or too low
  mean,      ///< not better than the mean, or than the more frequent class
  simple,    ///< not better than Molgauge's own model
};
/// The word of a fault in JSON.
const char* word_of(ModelFault fault);

struct ModelWarning {
  ModelFault fault = ModelFault::mean;
  std::string text;  ///< sentences that name the cause and what to check
};

/// A comparison of the user's model with the measured values of the calibration molecules, with Molgauge's
/// own model, and with a constant. All numbers leave out wild values. They are NaN if they are unknown.
struct ModelCheck {
  std::size_t molecules = 0;  ///< compared molecules
  std::size_t wild = 0;       ///< molecules with a wild value
  bool are_classes = false;
  /// Mean absolute errors. For classes, shares of wrong classes.
  double error = kNoNumber, simple_error = kNoNumber;
  /// Error of predicting the mean of the other calibration molecules, or their more frequent class.
  double constant_error = kNoNumber;
  double pearson = kNoNumber, spearman = kNoNumber;  ///< regression: correlation with the measured values
  double bias = kNoNumber;                           ///< regression: mean of prediction - measured value
  /// Classification: area under the ROC curve, with a 95 % interval clustered by scaffold.
  Estimate auroc = {kNoNumber, kNoNumber, kNoNumber};
  double simple_auroc = kNoNumber;
  std::string simple_model;  ///< Molgauge's own model in words. Empty if there is none
  std::vector<ModelWarning> warnings;

  bool has(ModelFault fault) const;
  /// Whether the errors come from a fault that has nothing to do with the difficulty of molecules. A width
  /// that depends on the molecule is then meaningless.
  bool is_broken() const;
  /// Errors, correlations and the number of compared molecules, in one or two sentences.
  std::string summary() const;
};

/// Checks predictions for `molecules`, of which there is at least one. `file`: the calibration file, for
/// warnings. `simple_model`: the model of CalibrationMolecule::simple_prediction in words, or empty.
///
/// An error is wild if it is larger than three times winsor_limit(). For normally distributed errors, this is
/// more than 13 standard deviations.
ModelCheck check_model(const std::vector<CalibrationMolecule>& molecules, bool are_classes,
                       const std::string& file, const std::string& simple_model);

}  // namespace molgauge::domain
