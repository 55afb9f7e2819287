#include "models/domain/predictions/prediction_calibration.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "models/domain/hold_out.h"
#include "models/domain/judge.h"
#include "models/domain/predictions/conformal_quantile.h"
#include "models/domain/predictions/scaffold_clusters.h"

namespace headroom::domain {
namespace {

constexpr std::size_t kMinToValidate = 50;

std::size_t scaffolds_among(const std::vector<CalibrationMolecule>& molecules) {
  std::set<std::string> scaffolds;
  for (const CalibrationMolecule& molecule : molecules) {
    scaffolds.insert(molecule.scaffold);
  }
  return scaffolds.size();
}

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
  for (const auto& [option, column] : {std::pair("--uncertainty-column", settings.columns.uncertainty),
                                       std::pair("--lower-column", settings.columns.lower),
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

PredictionCalibration::PredictionCalibration(std::vector<CalibrationMolecule> molecules, Settings settings)
    : molecules_(std::move(molecules)), settings_(std::move(settings)) {
  is_classification_ = std::all_of(molecules_.begin(), molecules_.end(), [](const CalibrationMolecule& own) {
    return own.measured == 0 || own.measured == 1;
  });
  require_usable(molecules_, settings_, is_classification_);
  calibrate(settings_.method);
  report_ = cross_validate();
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
      molecules_, IntervalCalibration::Settings{settings_.coverage, method, settings_.seed});
  if (has_group) {
    new_scaffold_.intervals = std::make_unique<const IntervalCalibration>(
        molecules_,
        IntervalCalibration::Settings{settings_.coverage, all_.intervals->method(), settings_.seed}, is_new);
  }
}

IntervalMethod PredictionCalibration::method() const {
  return is_classification_ ? IntervalMethod::automatic : all_.intervals->method();
}

PredictionOutcome PredictionCalibration::judge(const UserPrediction& prediction,
                                               const PredictionPlace& place) const {
  PredictionOutcome outcome;
  const auto without = [&](std::string reason) {
    outcome.reason = std::move(reason);
    return outcome;
  };
  if (std::isnan(prediction.value)) {
    return without("no prediction");
  }
  const bool has_group = new_scaffold_.intervals != nullptr || new_scaffold_.classes != nullptr;
  const Group& group = place.new_scaffold && has_group ? new_scaffold_ : all_;
  const std::size_t needed = fewest_for_coverage(settings_.coverage);
  if (is_classification_) {
    if (prediction.value < 0 || prediction.value > 1) {
      return without("the prediction is not a probability");
    }
    outcome.set = group.classes->set(prediction.value);
    outcome.probability = outcome.set->probability;
    if (const auto& pair = outcome.probability) {
      outcome.expected_error = std::min(pair->merged(), 1 - pair->merged());
    }
    for (std::size_t label = 0; label < 2; ++label) {
      if (!outcome.set->is_known[label]) {
        const std::size_t known = group.classes->sizes()[label];
        outcome.set.reset();
        return without(fmt::format("{} calibration molecules of class {} are needed, and there are {}",
                                   needed, label, known));
      }
    }
  } else {
    const IntervalMethod method = group.intervals->method();
    if ((method == IntervalMethod::uncertainty || method == IntervalMethod::both) &&
        std::isnan(prediction.uncertainty)) {
      return without("no uncertainty");
    }
    if (method == IntervalMethod::quantiles &&
        (std::isnan(prediction.lower) || std::isnan(prediction.upper))) {
      return without("no predicted quantiles");
    }
    outcome.interval = group.intervals->interval(prediction, place);
    outcome.expected_error = outcome.interval.expected_error;
    if (std::isnan(outcome.interval.lower)) {
      return without(fmt::format("{} calibration molecules are needed, and there are {}", needed,
                                 outcome.interval.calibrated_on));
    }
  }
  if (place.verdict == static_cast<std::size_t>(Verdict::outside)) {
    return without("outside the applicability domain");
  }
  if (place.new_scaffold && !has_group && new_scaffolds_ < molecules_.size()) {
    return without(
        fmt::format("new scaffold, and only {} calibration molecules have a new scaffold", new_scaffolds_));
  }
  outcome.is_guaranteed = true;
  return outcome;
}

CalibrationReport PredictionCalibration::cross_validate() const {
  CalibrationReport report;
  report.molecules = molecules_.size();
  report.scaffolds = scaffolds_among(molecules_);
  report.new_scaffolds = new_scaffolds_;
  std::vector<std::string> scaffolds;
  for (const CalibrationMolecule& molecule : molecules_) {
    report.in_training += molecule.in_training ? 1 : 0;
    const double error =
        is_classification_
            ? static_cast<double>((molecule.predicted.value >= 0.5) != (molecule.measured == 1))
            : std::abs(molecule.measured - molecule.predicted.value);
    report.error += error / static_cast<double>(molecules_.size());
    scaffolds.push_back(molecule.scaffold);
  }
  const std::vector<std::string> clusters = scaffold_clusters(scaffolds);
  if (molecules_.size() < kMinToValidate ||
      std::set<std::string>(clusters.begin(), clusters.end()).size() < kFoldsOfPredictions) {
    report.why_not_validated = fmt::format(
        "coverage was not checked, because this needs {} calibration molecules with {} scaffolds, and there "
        "are {} with {}",
        kMinToValidate, kFoldsOfPredictions, molecules_.size(), report.scaffolds);
    return report;
  }
  const auto fold_of = scaffold_folds(clusters, kFoldsOfPredictions, settings_.seed);
  std::vector<CrossValidated> results;
  for (std::size_t fold = 0; fold < kFoldsOfPredictions; ++fold) {
    PredictionCalibration others, constant;
    others.settings_ = settings_;
    others.is_classification_ = is_classification_;
    for (std::size_t i = 0; i < molecules_.size(); ++i) {
      if (fold_of[i] != fold) {
        others.molecules_.push_back(molecules_[i]);
      }
    }
    constant.settings_ = settings_;
    constant.molecules_ = others.molecules_;
    others.calibrate(method());
    if (!is_classification_) {
      constant.calibrate(IntervalMethod::constant);
    }
    for (std::size_t i = 0; i < molecules_.size(); ++i) {
      if (fold_of[i] != fold) {
        continue;
      }
      const CalibrationMolecule& own = molecules_[i];
      const PredictionOutcome outcome = others.judge(own.predicted, own.place);
      CrossValidated result{.molecule = &own};
      if (is_classification_) {
        if (!outcome.set) {
          continue;
        }
        result.is_covered = outcome.set->contains[own.measured == 1 ? 1 : 0];
        result.classes = static_cast<std::size_t>(outcome.set->contains[0]) +
                         static_cast<std::size_t>(outcome.set->contains[1]);
        result.probability = outcome.set->probability ? outcome.set->probability->merged() : kNoNumber;
      } else {
        if (std::isnan(outcome.interval.lower)) {
          continue;
        }
        result.lower = outcome.interval.lower;
        result.upper = outcome.interval.upper;
        result.is_covered = result.lower <= own.measured && own.measured <= result.upper;
        result.winkler = winkler_score(result.lower, result.upper, own.measured, settings_.coverage);
        const PredictionInterval plain = constant.judge(own.predicted, own.place).interval;
        report.constant_winkler += winkler_score(plain.lower, plain.upper, own.measured, settings_.coverage);
      }
      results.push_back(result);
    }
  }
  if (results.empty()) {
    report.why_not_validated =
        "coverage was not checked, because four fifths of the calibration molecules are too few for a result";
    return report;
  }
  report.constant_winkler /= static_cast<double>(results.size());
  summarise(results, is_classification_, report);
  return report;
}

}  // namespace headroom::domain
