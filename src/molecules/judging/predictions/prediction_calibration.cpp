#include "molecules/judging/predictions/prediction_calibration.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/conformal_quantile.h"
#include "molecules/judging/predictions/non_negative_fit.h"
#include "molecules/judging/predictions/repeated_molecules.h"
#include "molecules/judging/predictions/scaffold_clusters.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kMinToValidate = 50;

void require_usable(const std::vector<CalibrationMolecule>& molecules,
                    const PredictionCalibration::Settings& settings, bool is_classification) {
  if (molecules.empty()) {
    throw InputError(fmt::format(
        "{}: no molecule has both a measured value ({}) and a prediction ({}), so predictions cannot be "
        "calibrated. Fill these columns for molecules that the model was not trained on",
        settings.file, settings.columns.measured, settings.columns.prediction));
  }
  const double first = molecules.front().measured;
  if (std::all_of(molecules.begin(), molecules.end(),
                  [&](const CalibrationMolecule& own) { return own.measured == first; })) {
    throw InputError(
        fmt::format("{}: all {} measured values in the column {} are {:g}, so errors cannot be calibrated. "
                    "Give molecules "
                    "with different values",
                    settings.file, molecules.size(), settings.columns.measured, first));
  }
  if (!is_classification) {
    return;
  }
  for (const CalibrationMolecule& molecule : molecules) {
    if (molecule.predicted.value < 0 || molecule.predicted.value > 1) {
      throw InputError(
          fmt::format("{}: the measured values are classes (0 and 1), but the column {} contains {:g}. Give "
                      "the predicted "
                      "probability of class 1",
                      settings.file, settings.columns.prediction, molecule.predicted.value));
    }
  }
  if (settings.method != IntervalMethod::automatic) {
    throw UsageError(
        fmt::format("--interval-method {}: has no effect, because the measured values of {} are classes (0 "
                    "and 1). Leave it "
                    "out",
                    to_string(settings.method), settings.file));
  }
  for (const auto& [option, column] : {std::pair("--lower-column", settings.columns.lower),
                                       std::pair("--upper-column", settings.columns.upper)}) {
    if (!column.empty()) {
      throw UsageError(fmt::format(
          "{} {}: has no effect, because the measured values of {} are classes (0 and 1). Leave it out",
          option, column, settings.file));
    }
  }
}

}  // namespace

std::string PredictionOutcome::set_text() const {
  if (!set) {
    return "";
  }
  const auto [zero, one] = set->contains;
  return zero && one ? "0 1" : zero ? "0" : one ? "1" : "none";
}

std::vector<std::string> conditions_of_coverage() {
  return {"the candidates are drawn from the same distribution as the calibration molecules",
          "the candidate is inside the applicability domain or borderline",
          fmt::format("the scaffold of the candidate is in the training set, or at least {} calibration "
                      "molecules have scaffolds that are not in the training set",
                      PredictionCalibration::kMinNewScaffolds),
          "there are enough calibration molecules for a finite interval or set",
          "the model was not trained on the calibration molecules"};
}

PredictionCalibration::PredictionCalibration(std::vector<CalibrationMolecule> molecules, Settings settings)
    : settings_(std::move(settings)) {
  is_classification_ = std::all_of(molecules.begin(), molecules.end(), [](const CalibrationMolecule& own) {
    return own.measured == 0 || own.measured == 1;
  });
  MergedCalibration merged = merge_repeated(molecules, is_classification_);
  molecules_ = std::move(merged.molecules);
  require_usable(molecules_, settings_, is_classification_);
  report_.undecided = merged.undecided;
  report_.check = check_model(molecules_, is_classification_, settings_.file, settings_.simple_model);
  const bool is_constant = settings_.method == IntervalMethod::automatic && report_.check.is_broken();
  calibrate(is_constant ? IntervalMethod::constant : settings_.method);
  describe();
}

void PredictionCalibration::calibrate(IntervalMethod method) {
  std::vector<bool> is_new;
  for (const CalibrationMolecule& molecule : molecules_) {
    is_new.push_back(molecule.place.new_scaffold);
  }
  new_scaffolds_ = static_cast<std::size_t>(std::count(is_new.begin(), is_new.end(), true));
  const bool has_group =
      new_scaffolds_ < molecules_.size() &&
      new_scaffolds_ >= std::max(kMinNewScaffolds, fewest_for_coverage(settings_.coverage));
  if (is_classification_) {
    all_.classes = std::make_unique<const ClassCalibration>(molecules_, settings_.coverage);
    if (has_group) {
      new_scaffold_.classes =
          std::make_unique<const ClassCalibration>(molecules_, settings_.coverage, is_new);
    }
    return;
  }
  all_.intervals = std::make_unique<const IntervalCalibration>(
      molecules_, IntervalCalibration::Settings{settings_.coverage, method});
  if (has_group) {
    new_scaffold_.intervals = std::make_unique<const IntervalCalibration>(
        molecules_, IntervalCalibration::Settings{settings_.coverage, all_.intervals->method()}, is_new);
  }
}

IntervalMethod PredictionCalibration::method() const {
  return is_classification_ ? IntervalMethod::automatic : all_.intervals->method();
}

std::string PredictionCalibration::fill_set(const Group& group, const UserPrediction& prediction,
                                            const PredictionPlace& place, PredictionOutcome& outcome) const {
  if (prediction.value < 0 || prediction.value > 1) {
    return "the prediction is not a probability";
  }
  outcome.set = group.classes->set(prediction.value);
  outcome.probability = outcome.set->probability;
  outcome.expected_error = group.classes->probability_of_error(prediction, place);
  outcome.doubt = group.classes->doubt(prediction, place);
  for (std::size_t label = 0; label < 2; ++label) {
    if (!outcome.set->is_known[label]) {
      const std::size_t known = group.classes->sizes()[label];
      outcome.set.reset();
      return fmt::format("{} calibration molecules of class {} are needed, and there are {}",
                         fewest_for_coverage(settings_.coverage), label, known);
    }
  }
  return "";
}

std::string PredictionCalibration::fill_interval(const Group& group, const UserPrediction& prediction,
                                                 const PredictionPlace& place,
                                                 PredictionOutcome& outcome) const {
  const IntervalMethod method = group.intervals->method();
  if ((method == IntervalMethod::uncertainty || method == IntervalMethod::both) &&
      std::isnan(prediction.uncertainty)) {
    return "no uncertainty";
  }
  if (method == IntervalMethod::quantiles && (std::isnan(prediction.lower) || std::isnan(prediction.upper))) {
    return "no predicted quantiles";
  }
  if (!group.intervals->has_terms(prediction, place)) {
    return std::isnan(prediction.uncertainty) ? "no uncertainty or second opinion" : "no second opinion";
  }
  outcome.interval = group.intervals->interval(prediction, place);
  outcome.doubt = group.intervals->doubt(prediction, place);
  outcome.expected_error = outcome.interval.expected_error;
  if (std::isnan(outcome.interval.lower)) {
    return fmt::format("{} calibration molecules are needed, and there are {}",
                       fewest_for_coverage(settings_.coverage), outcome.interval.calibrated_on);
  }
  return "";
}

PredictionOutcome PredictionCalibration::judge(const UserPrediction& prediction,
                                               const PredictionPlace& place) const {
  PredictionOutcome outcome;
  if (std::isnan(prediction.value)) {
    outcome.reason = "no prediction";
    return outcome;
  }
  const bool has_group = new_scaffold_.intervals != nullptr || new_scaffold_.classes != nullptr;
  const Group& group = place.new_scaffold && has_group ? new_scaffold_ : all_;
  outcome.reason = is_classification_ ? fill_set(group, prediction, place, outcome)
                                      : fill_interval(group, prediction, place, outcome);
  if (!outcome.reason.empty()) {
    return outcome;
  }
  if (place.verdict == static_cast<std::size_t>(Verdict::outside)) {
    outcome.reason = "outside the applicability domain";
  } else if (place.new_scaffold && !has_group && new_scaffolds_ < molecules_.size()) {
    outcome.reason =
        fmt::format("new scaffold, and only {} calibration molecules have a new scaffold", new_scaffolds_);
  }
  outcome.meets_conditions = outcome.reason.empty();
  return outcome;
}

void PredictionCalibration::describe() {
  report_.molecules = molecules_.size();
  report_.new_scaffolds = new_scaffolds_;
  std::vector<std::string> scaffolds;
  for (const CalibrationMolecule& own : molecules_) {
    report_.in_training += own.in_training ? 1 : 0;
    report_.merged += own.measurements - 1;
    const double error = is_classification_
                             ? static_cast<double>(predicts_one(own.predicted.value) != (own.measured == 1))
                             : error_of(own);
    report_.error += error / static_cast<double>(molecules_.size());
    scaffolds.push_back(own.scaffold);
  }
  report_.scaffolds = distinct_count(scaffolds);
  if (!suffice_for_folds(molecules_, kMinToValidate)) {
    report_.why_not_validated = fmt::format(
        "coverage was not checked, because this needs {} calibration molecules with {} scaffolds, and there "
        "are {} with {}",
        kMinToValidate, kFoldsOfPredictions, molecules_.size(), report_.scaffolds);
    return;
  }
  cross_validate();
}

PredictionCalibration PredictionCalibration::without_fold(const std::vector<std::size_t>& fold_of,
                                                          std::size_t fold, IntervalMethod method) const {
  PredictionCalibration others;
  others.settings_ = settings_;
  others.is_classification_ = is_classification_;
  for (std::size_t i = 0; i < molecules_.size(); ++i) {
    if (fold_of[i] != fold) {
      others.molecules_.push_back(molecules_[i]);
    }
  }
  others.calibrate(method);
  return others;
}

/// Returns no result if there are too few calibration molecules. `limit`: the limit of errors for the Winkler
/// score.
std::optional<CrossValidated> PredictionCalibration::validate(const CalibrationMolecule& own,
                                                              double limit) const {
  const PredictionOutcome outcome = judge(own.predicted, own.place);
  CrossValidated result{.molecule = &own};
  result.expected_error = outcome.expected_error;
  if (is_classification_) {
    if (!outcome.set) {
      return std::nullopt;
    }
    const auto& contains = outcome.set->contains;
    result.is_covered = contains[own.measured == 1 ? 1 : 0];
    result.classes = static_cast<std::size_t>(contains[0]) + static_cast<std::size_t>(contains[1]);
    result.probability = outcome.set->probability ? outcome.set->probability->merged() : kNoNumber;
    return result;
  }
  if (std::isnan(outcome.interval.lower)) {
    return std::nullopt;
  }
  result.lower = outcome.interval.lower;
  result.upper = outcome.interval.upper;
  result.is_covered = result.lower <= own.measured && own.measured <= result.upper;
  result.winkler =
      winkler_score(result.lower, result.upper, winsorised_value(own, limit), settings_.coverage);
  return result;
}

void PredictionCalibration::cross_validate() {
  std::vector<double> errors;
  for (const CalibrationMolecule& own : molecules_) {
    errors.push_back(error_of(own));
  }
  const double limit = winsor_limit(errors);
  const std::vector<std::size_t> fold_of = folds_of_predictions(molecules_);
  std::vector<CrossValidated> results;
  for (std::size_t fold = 0; fold < kFoldsOfPredictions; ++fold) {
    const PredictionCalibration others = without_fold(fold_of, fold, method());
    std::optional<PredictionCalibration> constant;
    if (!is_classification_) {
      constant.emplace(without_fold(fold_of, fold, IntervalMethod::constant));
    }
    for (std::size_t i = 0; i < molecules_.size(); ++i) {
      if (fold_of[i] != fold) {
        continue;
      }
      if (const auto result = others.validate(molecules_[i], limit)) {
        results.push_back(*result);
        report_.constant_winkler += constant ? constant->validate(molecules_[i], limit)->winkler : 0;
      }
    }
  }
  if (results.empty()) {
    report_.why_not_validated =
        "coverage was not checked, because four fifths of the calibration molecules are too few for a result";
    return;
  }
  report_.constant_winkler /= static_cast<double>(results.size());
  summarise(results, is_classification_, report_);
}

}  // namespace molgauge::domain
