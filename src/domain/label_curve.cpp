#include "domain/label_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/error.h"
#include "core/random/numpy_random.h"
#include "domain/hold_out.h"
#include "domain/ridge.h"

namespace headroom::domain {
namespace {

constexpr std::size_t kBins = 10, kFewestInBin = 10;
constexpr std::array<double, 6> kPenalties = {0.001, 0.01, 0.1, 1, 10, 100};

struct Labelled {
  Molecules molecules;
  std::vector<std::string> scaffolds;
  std::vector<double> values;
};

struct Outcome {
  double distance = 0, error = 0;
};

Labelled labelled_of(const Molecules& molecules, const std::vector<std::string>& scaffolds,
                     std::span<const double> values, std::uint64_t seed) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) {
      places.push_back(i);
    }
  }
  if (places.size() > kMostLabelled) {
    NumpyRandom random(seed);
    std::vector<std::size_t> drawn;
    for (const std::size_t i : random.choose(places.size(), kMostLabelled)) {
      drawn.push_back(places[i]);
    }
    std::sort(drawn.begin(), drawn.end());
    places = std::move(drawn);
  }
  Labelled labelled;
  for (const std::size_t i : places) {
    labelled.molecules.append(molecules, i);
    labelled.scaffolds.push_back(scaffolds[i]);
    labelled.values.push_back(values[i]);
  }
  return labelled;
}

struct Part {
  std::vector<float> rows;
  std::vector<double> values;
};

/// The molecules that `takes` accepts.
template <typename Takes>
Part part_of(const Labelled& all, const Takes& takes) {
  Part part;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    if (takes(i)) {
      const auto row = all.molecules.row(i);
      part.rows.insert(part.rows.end(), row.begin(), row.end());
      part.values.push_back(all.values[i]);
    }
  }
  return part;
}

double best_penalty(const Part& fitted, const Part& judged, std::size_t width, std::size_t threads) {
  RidgeRegression ridge(fitted.rows, fitted.values, width, threads);
  double best = kPenalties.back(), least = std::numeric_limits<double>::infinity();
  for (const double penalty : kPenalties) {
    ridge.fit(penalty);
    double error = 0;
    for (std::size_t i = 0; i < judged.values.size(); ++i) {
      error += std::abs(ridge.predict(std::span(judged.rows).subspan(i * width, width)) - judged.values[i]);
    }
    if (error < least) {
      least = error;
      best = penalty;
    }
  }
  return best;
}

double mean_error(std::span<const Outcome> outcomes) {
  const double sum = std::accumulate(outcomes.begin(), outcomes.end(), 0.0,
                                     [](double all, const Outcome& own) { return all + own.error; });
  return sum / static_cast<double>(outcomes.size());
}

LabelCurve::Bin bin_of(std::span<const Outcome> outcomes) {
  const double mean = mean_error(outcomes);
  double squares = 0;
  for (const Outcome& outcome : outcomes) {
    squares += (outcome.error - mean) * (outcome.error - mean);
  }
  const auto count = static_cast<double>(outcomes.size());
  const double reach = 1.96 * std::sqrt(squares / std::max(1.0, count - 1) / count);
  return {
      outcomes.front().distance, outcomes.back().distance, outcomes.size(), mean, mean - reach, mean + reach};
}

}  // namespace

double LabelCurve::expected_error(double distance) const {
  const auto found =
      std::find_if(bins.begin(), bins.end(), [&](const Bin& bin) { return distance <= bin.high; });
  return (found == bins.end() ? bins.back() : *found).error;
}

LabelCurve measure_errors(const Molecules& molecules, const std::vector<std::string>& scaffolds,
                          std::span<const double> values, Method method, std::uint64_t seed,
                          std::size_t threads) {
  const Labelled all = labelled_of(molecules, scaffolds, values, seed);
  const std::size_t count = all.values.size(), width = molecules.width;
  const std::set<std::string> distinct(all.scaffolds.begin(), all.scaffolds.end());
  if (count < kFewestLabelled || distinct.size() < kFoldsOfLabels) {
    throw InputError(fmt::format(
        "the values of {} training molecules with {} scaffolds are too few to measure how errors grow with "
        "the "
        "distance; leave out --label-column, or give values for at least {} molecules of {} scaffolds",
        count, distinct.size(), kFewestLabelled, kFoldsOfLabels));
  }
  const std::vector<std::size_t> fold_of = scaffold_folds(all.scaffolds, kFoldsOfLabels, seed);
  std::vector<Outcome> outcomes;
  double constant_error = 0;
  for (std::size_t fold = 0; fold < kFoldsOfLabels; ++fold) {
    const std::size_t inner = (fold + 1) % kFoldsOfLabels;
    const auto is_other = [&](std::size_t i) { return fold_of[i] != fold; };
    const Part judged = part_of(all, [&](std::size_t i) { return fold_of[i] == inner; });
    const Part three = part_of(all, [&](std::size_t i) { return is_other(i) && fold_of[i] != inner; });
    const Part four = part_of(all, is_other);
    RidgeRegression ridge(four.rows, four.values, width, threads);
    ridge.fit(best_penalty(three, judged, width, threads));

    std::vector<bool> in_reference(count);
    Molecules own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; ++i) {
      in_reference[i] = is_other(i);
      if (!in_reference[i]) {
        own.append(all.molecules, i);
        places.push_back(i);
      }
    }
    const Reference reference(all.molecules, in_reference, {method, seed, threads, false});
    const std::vector<ScoredMolecule> scored = reference.score(own);
    for (std::size_t j = 0; j < places.size(); ++j) {
      const double value = all.values[places[j]];
      outcomes.push_back({scored[j].score, std::abs(ridge.predict(own.row(j)) - value)});
      constant_error += std::abs(ridge.mean() - value) / static_cast<double>(count);
    }
  }
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const Outcome& one, const Outcome& other) { return one.distance < other.distance; });
  LabelCurve curve;
  curve.molecules = count;
  curve.error = mean_error(outcomes);
  curve.constant_error = constant_error;
  curve.inner_half = mean_error(std::span(outcomes).first(count / 2));
  curve.outer_tenth = mean_error(std::span(outcomes).last(count / 10));
  const std::size_t bins = std::min(kBins, count / kFewestInBin);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t first = bin * count / bins, end = (bin + 1) * count / bins;
    curve.bins.push_back(bin_of(std::span(outcomes).subspan(first, end - first)));
  }
  return curve;
}

}  // namespace headroom::domain
