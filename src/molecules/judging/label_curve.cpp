#include "molecules/judging/label_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "molecules/judging/ridge.h"
#include "molecules/judging/scaffold_folds.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kMinInBin = 10;
constexpr std::array<double, 6> kPenalties = {0.001, 0.01, 0.1, 1, 10, 100};
constexpr double kPositiveScore = 0.5;

using Task = LabelCurve::Task;

/// The labelled molecules of a training set.
struct Labelled {
  std::vector<std::size_t> places;     ///< indices in the training set, ascending
  std::vector<std::string> scaffolds;  ///< scaffold of each labelled molecule
  std::vector<double> values;          ///< 0 and 1 for classes
  std::vector<std::size_t> clusters;   ///< number of the scaffold
  Task task = Task::regression;
  double negative_value = 0, positive_value = 1;
};

/// The results for a molecule. Its scaffold was left out of the training and of the reference.
struct Outcome {
  double distance = 0, error = 0, prediction = 0;
  bool is_positive = false;
  std::size_t cluster = 0;
};

/// The labelled molecules, or kMaxLabelled of them, evenly spaced.
std::vector<std::size_t> labelled_places(std::span<const double> values) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) {
      places.push_back(i);
    }
  }
  if (places.size() <= kMaxLabelled) {
    return places;
  }
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < kMaxLabelled; ++i) {
    drawn.push_back(places[i * places.size() / kMaxLabelled]);
  }
  return drawn;
}

/// Turns the labels of a classification into 0 and 1. Throws InputError if all labels are equal or if a label
/// is larger than kLargestLabel.
void find_task(Labelled& labelled, std::optional<Task> task) {
  std::set<double> distinct;
  for (const double value : labelled.values) {
    if (std::abs(value) > kLargestLabel) {
      throw InputError(fmt::format(
          "the value {:g} is too large to measure errors with. Correct it, or leave out --label-column",
          value));
    }
    if (distinct.size() < 3) {
      distinct.insert(value);
    }
  }
  if (distinct.size() == 1) {
    throw InputError(
        fmt::format("the values of all {} training molecules are {}. A predictor needs at least two distinct "
                    "values. Leave out --label-column, or name another column",
                    labelled.values.size(), *distinct.begin()));
  }
  if (task.value_or(distinct.size() == 2 ? Task::classification : Task::regression) == Task::regression) {
    return;
  }
  labelled.task = Task::classification;
  labelled.negative_value = *distinct.begin();
  labelled.positive_value = *distinct.rbegin();
  for (double& value : labelled.values) {
    value = value == labelled.positive_value ? 1 : 0;
  }
}

Labelled labelled_of(const std::vector<std::string>& scaffolds, std::span<const double> values,
                     std::optional<Task> task) {
  Labelled labelled;
  labelled.places = labelled_places(values);
  std::map<std::string_view, std::size_t> clusters;
  for (const std::size_t i : labelled.places) {
    labelled.scaffolds.push_back(scaffolds[i]);
    labelled.values.push_back(values[i]);
    labelled.clusters.push_back(clusters.try_emplace(scaffolds[i], clusters.size()).first->second);
  }
  if (labelled.places.size() < kMinLabelled || clusters.size() < kFoldsOfLabels) {
    throw InputError(fmt::format(
        "the values of {} training molecules with {} scaffolds are too few to measure how errors grow with "
        "the distance. Leave out --label-column, or give values for at least {} molecules of {} scaffolds",
        labelled.places.size(), clusters.size(), kMinLabelled, kFoldsOfLabels));
  }
  find_task(labelled, task);
  return labelled;
}

struct Part {
  std::vector<float> rows;
  std::vector<double> values;
};

/// Returns the features and values of the labelled molecules for which `takes` returns true.
template <typename Takes>
Part part_of(const Molecules& molecules, const Labelled& labelled, const Takes& takes) {
  Part part;
  for (std::size_t i = 0; i < labelled.values.size(); ++i) {
    if (takes(i)) {
      const auto row = molecules.row(labelled.places[i]);
      part.rows.insert(part.rows.end(), row.begin(), row.end());
      part.values.push_back(labelled.values[i]);
    }
  }
  return part;
}

double best_penalty(const Part& fitted, const Part& judged, std::size_t width, Task task,
                    std::size_t threads) {
  RidgeRegression ridge(fitted.rows, fitted.values, width, threads);
  double best = kPenalties.back(), least = std::numeric_limits<double>::infinity();
  for (const double penalty : kPenalties) {
    ridge.fit(penalty);
    double error = 0;
    for (std::size_t i = 0; i < judged.values.size(); ++i) {
      const double own =
          std::abs(ridge.predict(std::span(judged.rows).subspan(i * width, width)) - judged.values[i]);
      error += task == Task::classification ? own * own : own;
    }
    if (error < least) {
      least = error;
      best = penalty;
    }
  }
  return best;
}

double error_of(double prediction, double value, Task task) {
  if (task == Task::regression) {
    return std::abs(prediction - value);
  }
  return (prediction >= kPositiveScore) == (value == 1) ? 0 : 1;
}

/// Predictions of the labelled molecules. The model for a prediction is fitted without the fold of the
/// molecule.
struct Predictions {
  std::vector<double> values;
  double constant_error = 0;
};

Predictions predict_folds(const Molecules& molecules, const Labelled& labelled,
                          const std::vector<std::size_t>& fold_of, std::size_t threads) {
  const std::size_t count = labelled.values.size();
  Predictions predictions{std::vector<double>(count), 0};
  for (std::size_t fold = 0; fold < kFoldsOfLabels; ++fold) {
    throw_if_cancelled();
    const std::size_t inner = (fold + 1) % kFoldsOfLabels;
    const auto is_other = [&](std::size_t i) { return fold_of[i] != fold; };
    double penalty = 0;
    {
      const Part judged = part_of(molecules, labelled, [&](std::size_t i) { return fold_of[i] == inner; });
      const Part three =
          part_of(molecules, labelled, [&](std::size_t i) { return is_other(i) && fold_of[i] != inner; });
      penalty = best_penalty(three, judged, molecules.width, labelled.task, threads);
    }
    const Part four = part_of(molecules, labelled, is_other);
    RidgeRegression ridge(four.rows, four.values, molecules.width, threads);
    ridge.fit(penalty);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_other(i)) {
        predictions.values[i] = ridge.predict(molecules.row(labelled.places[i]));
        predictions.constant_error +=
            error_of(ridge.mean(), labelled.values[i], labelled.task) / static_cast<double>(count);
      }
    }
  }
  return predictions;
}

/// The distance of each labelled molecule to the training molecules of other folds. Molecules without a label
/// have the fold of their scaffold.
std::vector<double> distances_of(const CalibratedDomain& domain, const std::vector<std::string>& scaffolds,
                                 const Labelled& labelled, const std::vector<std::size_t>& fold_of,
                                 bool quiet) {
  std::unordered_map<std::string_view, std::size_t> folds;
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    folds.try_emplace(labelled.scaffolds[i], fold_of[i]);
  }
  GroupLabels labels;
  for (const std::string& scaffold : scaffolds) {
    const auto fold = folds.find(scaffold);
    labels.push_back(static_cast<std::uint32_t>(fold == folds.end() ? kFoldsOfLabels : fold->second));
  }
  std::vector<std::uint32_t> members(labelled.places.begin(), labelled.places.end());
  Progress progress("measure errors", "molecule", members.size(), quiet);
  std::vector<double> distances;
  for (const ScoredMolecule& scored : domain.reference().score_left_out(members, labels, &progress)) {
    distances.push_back(scored.score);
  }
  return distances;
}

std::vector<ClusteredValue> errors_of(std::span<const Outcome> outcomes) {
  std::vector<ClusteredValue> errors;
  for (const Outcome& own : outcomes) {
    errors.push_back({own.error, own.cluster});
  }
  return errors;
}

std::vector<ClassifiedMolecule> classified(std::span<const Outcome> outcomes) {
  std::vector<ClassifiedMolecule> molecules;
  for (const Outcome& own : outcomes) {
    molecules.push_back({own.prediction, own.is_positive, own.cluster});
  }
  return molecules;
}

std::size_t positives_of(std::span<const Outcome> outcomes) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& own) { return own.is_positive; }));
}

double mean_error(std::span<const Outcome> outcomes) {
  const double sum = std::accumulate(outcomes.begin(), outcomes.end(), 0.0,
                                     [](double all, const Outcome& own) { return all + own.error; });
  return sum / static_cast<double>(outcomes.size());
}

Estimate error_estimate(std::span<const ClusteredValue> errors, Task task, double design) {
  return task == Task::classification ? clustered_share(errors, design) : clustered_mean(errors);
}

LabelCurve::Bin bin_of(std::span<const Outcome> outcomes, Task task, double design) {
  const std::vector<ClusteredValue> errors = errors_of(outcomes);
  const Estimate error = error_estimate(errors, task, design);
  LabelCurve::Bin bin{outcomes.front().distance,
                      outcomes.back().distance,
                      outcomes.size(),
                      error.value,
                      error.low,
                      error.high,
                      cluster_count(errors)};
  if (task == Task::classification) {
    bin.positives = positives_of(outcomes);
    bin.auroc = clustered_auroc(classified(outcomes));
  }
  return bin;
}

/// `outcomes`: must be sorted by ascending distance.
LabelCurve curve_of(std::span<const Outcome> outcomes, const Labelled& labelled) {
  const std::size_t count = outcomes.size();
  const std::vector<ClusteredValue> errors = errors_of(outcomes);
  const double design = design_effect(errors);
  const Estimate error = error_estimate(errors, labelled.task, design);
  LabelCurve curve;
  curve.task = labelled.task;
  curve.molecules = count;
  curve.scaffolds = cluster_count(errors);
  curve.error = error.value;
  curve.error_low = error.low;
  curve.error_high = error.high;
  curve.inner_half = mean_error(outcomes.first(count / 2));
  curve.outer_tenth = mean_error(outcomes.last(count / 10));
  if (curve.is_classification()) {
    curve.negative_value = labelled.negative_value;
    curve.positive_value = labelled.positive_value;
    curve.positives = positives_of(outcomes);
    curve.auroc = clustered_auroc(classified(outcomes));
  }
  const std::size_t bins = std::min(LabelCurve::kMaxBins, count / kMinInBin);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t first = bin * count / bins, end = (bin + 1) * count / bins;
    curve.bins.push_back(bin_of(outcomes.subspan(first, end - first), labelled.task, design));
  }
  return curve;
}

}  // namespace

double LabelCurve::expected_error(double distance) const {
  const auto found =
      std::find_if(bins.begin(), bins.end(), [&](const Bin& bin) { return distance <= bin.high; });
  return (found == bins.end() ? bins.back() : *found).error;
}

LabelCurve measure_errors(const CalibratedDomain& domain, const std::vector<std::string>& scaffolds,
                          std::span<const double> values, const CalibratedDomain::Settings& settings,
                          std::optional<Task> task) {
  const Labelled labelled = labelled_of(scaffolds, values, task);
  const std::vector<std::size_t> fold_of = scaffold_folds(labelled.scaffolds, kFoldsOfLabels);
  const Predictions predictions = predict_folds(domain.training(), labelled, fold_of, settings.threads);
  const std::vector<double> distances = distances_of(domain, scaffolds, labelled, fold_of, settings.quiet);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const double prediction = predictions.values[i], value = labelled.values[i];
    outcomes.push_back({distances[i], error_of(prediction, value, labelled.task), prediction,
                        labelled.task == Task::classification && value == 1, labelled.clusters[i]});
  }
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Outcome& one, const Outcome& other) { return one.distance < other.distance; });
  LabelCurve curve = curve_of(outcomes, labelled);
  curve.constant_error = predictions.constant_error;
  return curve;
}

}  // namespace molgauge::domain
