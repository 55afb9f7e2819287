#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/predictions/calibration_report.h"
#include "molecules/judging/predictions/class_calibration.h"
#include "molecules/judging/predictions/interval_calibration.h"

namespace molgauge::domain {

/// Names of columns in the files of the user. A name is empty if the user did not give it.
struct PredictionColumns {
  std::string measured, prediction, uncertainty, lower, upper;
};

/// The result for one prediction.
struct PredictionOutcome {
  PredictionInterval interval;       ///< for regression
  std::optional<PredictionSet> set;  ///< for classification
  /// For classification. Can have a value even if `set` is empty.
  std::optional<ProbabilityPair> probability;
  double expected_error = kNoNumber;  ///< absolute error, or the probability that predicts_one() is wrong
  bool meets_conditions = false;      ///< whether the molecule meets conditions_of_coverage()
  /// The main reason for a large expected error, such as "far from the training set". Empty if no reason
  /// makes the error larger than usual.
  std::string doubt;
  std::string reason;  ///< why a condition is not met, or why there is no result. Otherwise empty

  /// The classes in the set: "0", "1", "0 1" or "none". Empty if there is no set.
  std::string set_text() const;
};

/// The conditions under which the coverage holds for a candidate, on average, as sentences without a full
/// stop. The first one cannot be checked. The last one is checked for the calibration, and the others for
/// each candidate.
std::vector<std::string> conditions_of_coverage();

/// Computes prediction intervals and prediction sets for the predictions of the user. Calibration molecules
/// with measured values determine the sizes of the intervals and sets.
///
/// For candidates with a new scaffold, only calibration molecules with a new scaffold are used, because
/// errors for new scaffolds are larger. For other candidates, all calibration molecules are used. Coverage is
/// an average over molecules, and can differ for each kind of molecule. It holds under the conditions of
/// conditions_of_coverage(). Repeated measurements of a molecule are merged (repeated_molecules.h). Const
/// methods may be called from several threads at once.
///
/// If check_model() finds a fault in the predictions that has nothing to do with the difficulty of molecules
/// (ModelCheck::is_broken()), IntervalMethod::automatic uses a constant width.
class PredictionCalibration {
 public:
  struct Settings {
    double coverage = 0.9;
    IntervalMethod method = IntervalMethod::automatic;
    PredictionColumns columns = {};
    std::string file = {};  ///< file with the calibration molecules, for messages and reports
    /// Description of the model of CalibrationMolecule::simple_prediction, for reports.
    std::string simple_model = {};
  };

  /// Calibrates a classifier if every measured value is 0 or 1, and a regression otherwise. Throws
  /// InputError, with the file, if all measured values are equal, if probabilities are outside [0, 1], or if
  /// the method needs more molecules. Throws UsageError if the method does not apply to classes.
  PredictionCalibration(std::vector<CalibrationMolecule> molecules, Settings settings);

  bool is_classification() const { return is_classification_; }
  const Settings& settings() const { return settings_; }
  /// The calibration molecules without repetitions, sorted by SMILES.
  const std::vector<CalibrationMolecule>& molecules() const { return molecules_; }
  /// The method of the intervals. For regression it is never IntervalMethod::automatic. For classification it
  /// is always automatic.
  IntervalMethod method() const;
  const CalibrationReport& report() const { return report_; }

  PredictionOutcome judge(const UserPrediction& prediction, const PredictionPlace& place) const;

  /// The least number of calibration molecules with new scaffolds for a separate group.
  static constexpr std::size_t kMinNewScaffolds = 50;

 private:
  struct Group {
    std::unique_ptr<const IntervalCalibration> intervals;
    std::unique_ptr<const ClassCalibration> classes;
  };
  PredictionCalibration() = default;
  void calibrate(IntervalMethod method);
  /// Reasons why there is no result, or an empty text.
  std::string fill_set(const Group& group, const UserPrediction& prediction, const PredictionPlace& place,
                       PredictionOutcome& outcome) const;
  std::string fill_interval(const Group& group, const UserPrediction& prediction,
                            const PredictionPlace& place, PredictionOutcome& outcome) const;
  void describe();
  void cross_validate();
  PredictionCalibration without_fold(const std::vector<std::size_t>& fold_of, std::size_t fold,
                                     IntervalMethod method) const;
  std::optional<CrossValidated> validate(const CalibrationMolecule& own, double limit) const;

  std::vector<CalibrationMolecule> molecules_;
  Settings settings_;
  bool is_classification_ = false;
  std::size_t new_scaffolds_ = 0;
  Group all_, new_scaffold_;  ///< new_scaffold_ is empty if there is no separate group
  CalibrationReport report_;
};

}  // namespace molgauge::domain
