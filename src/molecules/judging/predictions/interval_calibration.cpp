#include "molecules/judging/predictions/interval_calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/judging/label_curve.h"
#include "molecules/judging/predictions/conformal_quantile.h"
#include "molecules/judging/predictions/coverage.h"
#include "molecules/judging/predictions/non_negative_fit.h"
#include "molecules/judging/predictions/scaffold_clusters.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kFolds = kFoldsOfPredictions, kMinForDifficulty = 30, kMaxGroups = 5, kMinInGroup = 50;
constexpr double kFarShare = 0.2;  ///< share of the farthest molecules

/// The methods among which IntervalMethod::automatic chooses. If there are too few molecules to fit a
/// difficulty, no method is tried that needs one. Intervals that depend only on the uncertainty are not
/// tried, because they cover too few of the farthest molecules (docs/explanation/predictions.md).
std::vector<IntervalMethod> applicable(const std::vector<CalibrationMolecule>& molecules) {
  std::vector<IntervalMethod> methods = {IntervalMethod::constant};
  const auto have = [&](double UserPrediction::*part) {
    return std::none_of(molecules.begin(), molecules.end(), [&](const CalibrationMolecule& molecule) {
      return std::isnan(molecule.predicted.*part);
    });
  };
  if (suffice_for_folds(molecules, kMinForDifficulty)) {
    methods.push_back(IntervalMethod::distance);
    if (have(&UserPrediction::uncertainty)) {
      methods.push_back(IntervalMethod::both);
    }
    if (have_opinions(molecules)) {
      methods.push_back(IntervalMethod::opinion);
    }
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
                         method_ == IntervalMethod::both || method_ == IntervalMethod::opinion;
  if (method_ == IntervalMethod::opinion && !have_opinions(molecules)) {
    throw InputError(fmt::format(
        "--interval-method opinion needs measured values of at least {} training molecules with {} "
        "scaffolds, because it uses predictions of Molgauge's own models. Give the values in the column "
        "--label-column of the training molecules, or leave --interval-method out",
        kMinLabelled, kFolds));
  }
  if (needs_fit && !suffice_for_folds(molecules, kMinForDifficulty)) {
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
  terms_ = terms_of(method_, molecules);
  DifficultyTerms terms(terms_.size());
  std::vector<double> errors, distances;
  for (const CalibrationMolecule& molecule : molecules) {
    terms.append(values_of(terms_, molecule.predicted, molecule.place));
    errors.push_back(error_of(molecule));
  }
  difficulty_ = fit_difficulty(terms, errors);
  doubt_ = Doubt(terms_, std::span(difficulty_.gradients).first(terms_.size()), molecules);
  if (terms.count() > 0 && suffice_for_folds(molecules, kMinForDifficulty)) {
    cross_fitted_ = cross_fitted_difficulties(terms, errors, folds_of_predictions(molecules), kFolds);
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
    std::size_t begin = 0;  // first molecule of the group. Equal distances are in one group
    for (std::size_t group = 1; group < count; ++group) {
      const double last = distances[group * size_ / count - 1];
      const auto end = static_cast<std::size_t>(std::upper_bound(distances.begin(), distances.end(), last) -
                                                distances.begin());
      if (end - begin >= fewest && size_ - end >= fewest) {
        boundaries_.push_back(last);
        begin = end;
      }
    }
  }
  std::vector<std::vector<double>> scores(boundaries_.size() + 1), ratios(boundaries_.size() + 1);
  groups_.assign(boundaries_.size() + 1, {});
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (!is_scored(i)) {
      continue;
    }
    const CalibrationMolecule& molecule = molecules[i];
    const std::size_t group = group_of(molecule.place.distance);
    const double normalised = errors[i] / cross_fitted_[i];
    ++groups_[group].molecules;
    ratios[group].push_back(normalised);
    scores[group].push_back(method_ == IntervalMethod::quantiles
                                ? std::max(molecule.predicted.lower - molecule.measured,
                                           molecule.measured - molecule.predicted.upper)
                                : normalised);
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    groups_[i].quantile = conformal_quantile(scores[i], settings_.coverage);
    groups_[i].mean_score = ratios[i].empty() ? 0 : winsorised_mean(ratios[i]);
  }
  far_quantile_ = 0;
  far_distance_ = std::numeric_limits<double>::infinity();
  if (method_ == IntervalMethod::opinion) {
    widen_farthest(molecules, scored);
  }
}

void IntervalCalibration::widen_farthest(const std::vector<CalibrationMolecule>& molecules,
                                         const std::vector<bool>& scored) {
  std::vector<std::pair<double, double>> found;  // distance and score
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (scored.empty() || scored[i]) {
      found.emplace_back(molecules[i].place.distance, error_of(molecules[i]) / cross_fitted_[i]);
    }
  }
  const auto count = static_cast<std::size_t>(kFarShare * static_cast<double>(found.size()));
  if (count < fewest_for_coverage(settings_.coverage)) {
    return;
  }
  std::sort(found.begin(), found.end());
  far_distance_ = found[found.size() - count].first;
  std::vector<double> scores;
  for (const auto& [distance, score] : found) {
    if (distance >= far_distance_) {
      scores.push_back(score);
    }
  }
  far_quantile_ = conformal_quantile(scores, settings_.coverage);
}

double IntervalCalibration::quantile_at(double distance) const {
  const double quantile = groups_[group_of(distance)].quantile;
  return distance >= far_distance_ ? std::max(quantile, far_quantile_) : quantile;
}

bool IntervalCalibration::has_terms(const UserPrediction& prediction, const PredictionPlace& place) const {
  const std::vector<double> terms = values_of(terms_, prediction, place);
  return std::none_of(terms.begin(), terms.end(), [](double term) { return std::isnan(term); });
}

double IntervalCalibration::winkler(const std::vector<CalibrationMolecule>& molecules,
                                    const std::vector<bool>& scored) const {
  std::vector<double> errors;
  errors.reserve(molecules.size());
  for (const CalibrationMolecule& molecule : molecules) {
    errors.push_back(error_of(molecule));
  }
  const double limit = winsor_limit(errors);
  double sum = 0;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (!scored.empty() && !scored[i]) {
      continue;
    }
    const CalibrationMolecule& molecule = molecules[i];
    const double quantile = quantile_at(molecule.place.distance);
    double lower = molecule.predicted.lower - quantile, upper = molecule.predicted.upper + quantile;
    if (method_ != IntervalMethod::quantiles) {
      lower = molecule.predicted.value - quantile * cross_fitted_[i];
      upper = molecule.predicted.value + quantile * cross_fitted_[i];
    }
    sum += winkler_score(lower, upper, winsorised_value(molecule, limit), settings_.coverage);
  }
  return sum;
}

std::size_t IntervalCalibration::group_of(double distance) const {
  return static_cast<std::size_t>(std::lower_bound(boundaries_.begin(), boundaries_.end(), distance) -
                                  boundaries_.begin());
}

PredictionInterval IntervalCalibration::interval(const UserPrediction& prediction,
                                                 const PredictionPlace& place) const {
  const Group& group = groups_[group_of(place.distance)];
  const double difficulty = difficulty_.of(values_of(terms_, prediction, place));
  PredictionInterval interval{.calibrated_on = group.molecules};
  if (group.molecules > 0) {
    interval.expected_error = difficulty * group.mean_score;
  }
  const double quantile = quantile_at(place.distance);
  if (!std::isfinite(quantile)) {
    return interval;
  }
  if (method_ == IntervalMethod::quantiles) {
    interval.lower = prediction.lower - quantile;
    interval.upper = prediction.upper + quantile;
    if (interval.lower > interval.upper) {  // occurs if the quantile is below minus half the width
      interval.lower = interval.upper = (interval.lower + interval.upper) / 2;
    }
  } else {
    interval.lower = prediction.value - quantile * difficulty;
    interval.upper = prediction.value + quantile * difficulty;
  }
  return interval;
}

}  // namespace molgauge::domain
