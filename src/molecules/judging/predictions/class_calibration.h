#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/predictions/doubt.h"
#include "molecules/judging/predictions/error_terms.h"
#include "molecules/judging/predictions/venn_abers.h"
#include "molecules/judging/predictions/wrong_class_model.h"

namespace molgauge::domain {

/// The classes that a molecule may have, and the probability of class 1.
struct PredictionSet {
  std::array<bool, 2> contains{};              ///< whether the set contains class 0, class 1
  std::array<bool, 2> is_known{};              ///< false if the class has too few calibration molecules
  std::array<double, 2> p_values{};            ///< conformal p-values of the classes
  std::optional<ProbabilityPair> probability;  ///< not set if a class has no calibration molecules
};

/// The class that a probability of class 1 predicts: 1 if it is at least 0.5.
inline bool predicts_one(double probability) { return probability >= 0.5; }

/// Class-conditional conformal prediction sets (Vovk 2013, arXiv:1209.2673), Venn-ABERS probabilities, and
/// the probability that the predicted class is wrong.
///
/// The nonconformity score of a class is 1 - its predicted probability. The p-value of a class is
/// (1 + #{calibration molecules of the class with a score at least as large}) / (n + 1). A class belongs to
/// the set if its p-value is larger than 1 - coverage. P-values equal the results of crepes 0.9
/// (class_cond=True, smoothing=False). crepes also includes classes whose p-value equals 1 - coverage.
///
/// Sets and probabilities depend only on the predicted probability. The probability of a wrong class also
/// depends on the terms of terms_of_classes().
class ClassCalibration {
 public:
  /// `scored` [molecules.size()] marks the molecules to use. If it is empty, all molecules are used.
  ClassCalibration(const std::vector<CalibrationMolecule>& molecules, double coverage,
                   const std::vector<bool>& scored = {});

  std::array<std::size_t, 2> sizes() const { return {scores_[0].size(), scores_[1].size()}; }
  /// `probability`: the predicted probability of class 1, within [0, 1].
  PredictionSet set(double probability) const;
  /// The probability that the class of predicts_one() is wrong. NaN if a class has no calibration molecules.
  /// If the prediction lacks a term, the probability comes from Venn-ABERS alone.
  double probability_of_error(const UserPrediction& prediction, const PredictionPlace& place) const;
  /// Why the prediction is doubtful (doubt.h). Empty if terms do not change the probability of an error.
  std::string doubt(const UserPrediction& prediction, const PredictionPlace& place) const {
    return doubt_.of(prediction, place);
  }

 private:
  void fit_wrong_class(const std::vector<CalibrationMolecule>& molecules);

  double coverage_;
  std::size_t fewest_;
  std::array<std::vector<double>, 2> scores_;  ///< scores of each class, ascending
  std::optional<VennAbers> venn_abers_;
  std::vector<ErrorTerm> terms_;
  Doubt doubt_;
  std::optional<WrongClassModel> wrong_class_;  ///< not set if there are too few molecules or scaffolds
};

}  // namespace molgauge::domain
