#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/predictions/difficulty.h"
#include "molecules/judging/predictions/doubt.h"
#include "molecules/judging/predictions/error_terms.h"
#include "molgauge/choices.h"

namespace molgauge::domain {

/// An interval for the measured value of a molecule.
struct PredictionInterval {
  double lower = kNoNumber, upper = kNoNumber;  ///< NaN if there are too few calibration molecules
  double expected_error = kNoNumber;            ///< expected absolute error, without wild errors
  std::size_t calibrated_on = 0;                ///< molecules of the group that the interval comes from
};

/// Split-conformal prediction intervals for one set of calibration molecules. IntervalMethod::mondrian
/// divides the set into groups by distance.
///
/// The nonconformity score is |measured - predicted| / difficulty, and the interval is predicted -/+
/// conformal_quantile * difficulty. For quantiles, the score is max(lower - measured, measured - upper), and
/// the interval is [lower - conformal_quantile, upper + conformal_quantile]. Difficulties of calibration
/// molecules are fitted without the scaffolds of their own fold (five folds). Given the same difficulties,
/// intervals equal crepes 0.9, except if (1 - coverage) (n + 1) is an integer (conformal_quantile.h).
///
/// For IntervalMethod::opinion, the farthest fifth of the scored molecules by distance is also a group. If
/// the quantile of its scores is larger, intervals of candidates at these distances use it. Otherwise, they
/// would cover too few of the farthest molecules.
///
/// IntervalMethod::automatic takes the method with the lowest mean Winkler score on the calibration
/// molecules. For this choice, errors above winsor_limit() count as this limit, so a wild value does not
/// decide it.
class IntervalCalibration {
 public:
  struct Settings {
    double coverage = 0.9;
    IntervalMethod method = IntervalMethod::automatic;
  };
  /// Fits difficulties to `molecules`. `scored` [molecules.size()] marks the molecules whose scores determine
  /// the widths. If it is empty, all molecules are marked. Throws InputError if the method needs more
  /// molecules or scaffolds than there are.
  IntervalCalibration(const std::vector<CalibrationMolecule>& molecules, const Settings& settings,
                      const std::vector<bool>& scored = {});

  IntervalMethod method() const { return method_; }
  const Difficulty& difficulty() const { return difficulty_; }
  /// Number of scores that determine the widths, in all groups.
  std::size_t size() const { return size_; }

  PredictionInterval interval(const UserPrediction& prediction, const PredictionPlace& place) const;
  /// Why the prediction is doubtful (doubt.h).
  std::string doubt(const UserPrediction& prediction, const PredictionPlace& place) const {
    return doubt_.of(prediction, place);
  }
  /// Whether the prediction has every number that the method needs.
  bool has_terms(const UserPrediction& prediction, const PredictionPlace& place) const;

 private:
  struct Group {
    std::size_t molecules = 0;
    double quantile = 0;    ///< quantile of the scores. Infinite if there are too few
    double mean_score = 0;  ///< winsorised mean of errors divided by difficulties
  };
  void fit(const std::vector<CalibrationMolecule>& molecules, const std::vector<bool>& scored);
  double winkler(const std::vector<CalibrationMolecule>& molecules, const std::vector<bool>& scored) const;
  std::size_t group_of(double distance) const;
  /// The factor of the difficulty by which an interval extends from the prediction.
  double quantile_at(double distance) const;
  void widen_farthest(const std::vector<CalibrationMolecule>& molecules, const std::vector<bool>& scored);

  Settings settings_;
  IntervalMethod method_;
  std::vector<ErrorTerm> terms_;
  Difficulty difficulty_;
  std::vector<double> cross_fitted_;  ///< difficulties of the calibration molecules
  std::vector<double> boundaries_;    ///< distances that separate the groups
  std::vector<Group> groups_;
  double far_distance_ = std::numeric_limits<double>::infinity();  ///< of the farthest fifth
  double far_quantile_ = 0;                                        ///< 0 if there is no group of this kind
  Doubt doubt_;
  std::size_t size_ = 0;
};

}  // namespace molgauge::domain
