#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "models/domain/predictions/calibration_molecule.h"
#include "models/domain/predictions/venn_abers.h"

namespace headroom::domain {

/// The classes that a molecule may have, and the probability of class 1.
struct PredictionSet {
  std::array<bool, 2> contains{};              ///< whether the set contains class 0, class 1
  std::array<bool, 2> is_known{};              ///< false if the class has too few calibration molecules
  std::array<double, 2> p_values{};            ///< conformal p-values of the classes
  std::optional<ProbabilityPair> probability;  ///< not set if a class has no calibration molecules
};

/// Class-conditional conformal prediction sets (Vovk 2013, arXiv:1209.2673) and Venn-ABERS probabilities.
///
/// The nonconformity score of a class is 1 - its predicted probability. A class belongs to the set if
/// (1 + #{calibration molecules of the class with a score at least as large}) / (n + 1) >= 1 - coverage.
/// P-values and sets equal the results of crepes 0.9 (class_cond=True, smoothing=False).
class ClassCalibration {
 public:
  /// `scored` [molecules.size()] marks the molecules to use. If it is empty, all molecules are used.
  ClassCalibration(const std::vector<CalibrationMolecule>& molecules, double coverage,
                   const std::vector<bool>& scored = {});

  std::array<std::size_t, 2> sizes() const { return {scores_[0].size(), scores_[1].size()}; }
  /// `probability`: the predicted probability of class 1, within [0, 1].
  PredictionSet set(double probability) const;

 private:
  double coverage_;
  std::size_t fewest_;
  std::array<std::vector<double>, 2> scores_;  ///< scores of each class, ascending
  std::optional<VennAbers> venn_abers_;
};

}  // namespace headroom::domain
