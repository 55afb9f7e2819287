#include "models/domain/predictions/interval_calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "models/domain/hold_out.h"
#include "models/domain/predictions/conformal_quantile.h"
#include "models/domain/predictions/coverage.h"
#include "models/domain/predictions/scaffold_clusters.h"

namespace headroom::domain {
namespace {

constexpr std::size_t kFolds = kFoldsOfPredictions, kMinForDifficulty = 30, kMaxGroups = 5, kMinInGroup = 50;

std::size_t terms_of_method(IntervalMethod method) {
  switch (method) {
    case IntervalMethod::distance:
    case IntervalMethod::uncertainty:
    case IntervalMethod::quantiles:  // the distance between the quantiles, used only for the expected error
      return 1;
    case IntervalMethod::both:
      return 2;
    default:
      return 0;
  }
}

double error_of(const CalibrationMolecule& molecule) {
  return std::abs(molecule.measured - molecule.predicted.value);
}

std::vector<std::string> clusters_of(const std::vector<CalibrationMolecule>& molecules) {
  std::vector<std::string> scaffolds;
  scaffolds.reserve(molecules.size());
  for (const CalibrationMolecule& molecule : molecules) {
    scaffolds.push_back(molecule.scaffold);
  }
  return scaffold_clusters(scaffolds);
}

/// Returns true if there are enough molecules and scaffolds to fit difficulties in cross-validation.
bool suffice_for_difficulty(const std::vector<CalibrationMolecule>& molecules) {
  const std::vector<std::string> clusters = clusters_of(molecules);
  return molecules.size() >= kMinForDifficulty &&
         std::set<std::string>(clusters.begin(), clusters.end()).size() >= kFolds;
}

/// The methods among which IntervalMethod::automatic chooses. Their widths depend on the distance. Intervals
/// of constant width, and intervals that depend only on the uncertainty, cover too few of the farthest
/// molecules (docs/explanation/predictions.md). If there are too few molecules to fit a difficulty, constant
/// width is tried instead.
std::vector<IntervalMethod> applicable(const std::vector<CalibrationMolecule>& molecules) {
  std::vector<IntervalMethod> methods;
  const auto have = [&](double UserPrediction::*part) {
    return std::none_of(molecules.begin(), molecules.end(), [&](const CalibrationMolecule& molecule) {
      return std::isnan(molecule.predicted.*part);
    });
  };
  if (suffice_for_difficulty(molecules)) {
    methods.push_back(IntervalMethod::distance);
    if (have(&UserPrediction::uncertainty)) {
      methods.push_back(IntervalMethod::both);
    }
  } else {
    methods.push_back(IntervalMethod::constant);
  }
  if (have(&UserPrediction::lower)) {
    methods.push_back(IntervalMethod::quantiles);
  }
  return methods;
}

}  // namespace

IntervalCalibration::IntervalCalibration(const std::vector<CalibrationMolecule>& molecules,
                                         const Settings& settings, const std::vector<bool>& scored)
    : settings_(settings), method_(settings.method) {
  const bool needs_fit = method_ == IntervalMethod::distance || method_ == IntervalMethod::uncertainty ||
                         method_ == IntervalMethod::both;
  if (needs_fit && !suffice_for_difficulty(molecules)) {
    throw InputError(
        fmt::format("--interval-method {} needs at least {} calibration molecules with {} scaffolds, and "
                    "there are {}. Give "
                    "more molecules, or use --interval-method constant",
                    to_string(method_), kMinForDifficulty, kFolds, molecules.size()));
  }
  if (method_ == IntervalMethod::automatic) {
    IntervalMethod best = applicable(molecules).front();
    double least = std::numeric_limits<double>::infinity();
    for (const IntervalMethod method : applicable(molecules)) {
      method_ = method;
      fit(molecules, scored);
      if (const double score = winkler(molecules, scored); score < least) {
        least = score;
        best = method;
      }
    }
    method_ = best;
  }
  fit(molecules, scored);
}

void IntervalCalibration::fit(const std::vector<CalibrationMolecule>& molecules,
                              const std::vector<bool>& scored) {
  DifficultyTerms terms(terms_of_method(method_));
  std::vector<double> errors, distances;
  for (const CalibrationMolecule& molecule : molecules) {
    terms.append(terms_of(molecule.predicted, molecule.place));
    errors.push_back(error_of(molecule));
  }
  difficulty_ = fit_difficulty(terms, errors);
  if (terms.count() > 0 && suffice_for_difficulty(molecules)) {
    const auto fold_of = scaffold_folds(clusters_of(molecules), kFolds, settings_.seed);
    cross_fitted_ = cross_fitted_difficulties(terms, errors, fold_of, kFolds);
  } else {
    difficulty_ = {.constant = 1};
    cross_fitted_.assign(molecules.size(), 1);
  }
  const auto is_scored = [&](std::size_t i) { return scored.empty() || scored[i]; };
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (is_scored(i)) {
      distances.push_back(molecules[i].place.distance);
    }
  }
  size_ = distances.size();
  boundaries_.clear();
  if (method_ == IntervalMethod::mondrian) {
    const std::size_t fewest = std::max(kMinInGroup, fewest_for_coverage(settings_.coverage));
    const std::size_t count = std::clamp<std::size_t>(size_ / fewest, 1, kMaxGroups);
    std::sort(distances.begin(), distances.end());
    for (std::size_t group = 1; group < count; ++group) {
      boundaries_.push_back(distances[group * size_ / count - 1]);
    }
  }
  std::vector<std::vector<double>> scores(boundaries_.size() + 1);
  groups_.assign(boundaries_.size() + 1, {});
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (!is_scored(i)) {
      continue;
    }
    const CalibrationMolecule& molecule = molecules[i];
    const std::size_t group = group_of(molecule.place.distance);
    const double normalised = errors[i] / cross_fitted_[i];
    ++groups_[group].molecules;
    groups_[group].mean_score += normalised;
    scores[group].push_back(method_ == IntervalMethod::quantiles
                                ? std::max(molecule.predicted.lower - molecule.measured,
                                           molecule.measured - molecule.predicted.upper)
                                : normalised);
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    groups_[i].quantile = conformal_quantile(scores[i], settings_.coverage);
    groups_[i].mean_score /= std::max(1.0, static_cast<double>(groups_[i].molecules));
  }
}

double IntervalCalibration::winkler(const std::vector<CalibrationMolecule>& molecules,
                                    const std::vector<bool>& scored) const {
  double sum = 0;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (!scored.empty() && !scored[i]) {
      continue;
    }
    const CalibrationMolecule& molecule = molecules[i];
    const double quantile = groups_[group_of(molecule.place.distance)].quantile;
    double lower = molecule.predicted.lower - quantile, upper = molecule.predicted.upper + quantile;
    if (method_ != IntervalMethod::quantiles) {
      lower = molecule.predicted.value - quantile * cross_fitted_[i];
      upper = molecule.predicted.value + quantile * cross_fitted_[i];
    }
    sum += winkler_score(lower, upper, molecule.measured, settings_.coverage);
  }
  return sum;
}

std::vector<double> IntervalCalibration::terms_of(const UserPrediction& prediction,
                                                  const PredictionPlace& place) const {
  switch (method_) {
    case IntervalMethod::distance:
      return {place.distance};
    case IntervalMethod::uncertainty:
      return {prediction.uncertainty};
    case IntervalMethod::both:
      return {place.distance, prediction.uncertainty};
    case IntervalMethod::quantiles:
      return {prediction.upper - prediction.lower};
    default:
      return {};
  }
}

std::size_t IntervalCalibration::group_of(double distance) const {
  return static_cast<std::size_t>(std::lower_bound(boundaries_.begin(), boundaries_.end(), distance) -
                                  boundaries_.begin());
}

PredictionInterval IntervalCalibration::interval(const UserPrediction& prediction,
                                                 const PredictionPlace& place) const {
  const Group& group = groups_[group_of(place.distance)];
  const double difficulty = difficulty_.of(terms_of(prediction, place));
  PredictionInterval interval{.calibrated_on = group.molecules};
  if (group.molecules > 0) {
    interval.expected_error = difficulty * group.mean_score;
  }
  if (!std::isfinite(group.quantile)) {
    return interval;
  }
  if (method_ == IntervalMethod::quantiles) {
    interval.lower = prediction.lower - group.quantile;
    interval.upper = prediction.upper + group.quantile;
    if (interval.lower > interval.upper) {  // occurs if the quantile is below minus half the width
      interval.lower = interval.upper = (interval.lower + interval.upper) / 2;
    }
  } else {
    interval.lower = prediction.value - group.quantile * difficulty;
    interval.upper = prediction.value + group.quantile * difficulty;
  }
  return interval;
}

}  // namespace headroom::domain
