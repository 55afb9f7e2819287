#include "molecules/judging/predictions/in_sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "molecules/judging/environment_index.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kMinOnASide = 10, kMinCompared = 30, kMinWrong = 10;
constexpr double kRatioOfMedians = 0.5, kLevel = 0.001, kRatioToNeighbours = 0.43, kLeastSimilarity = 0.05;

double middle_of(std::span<const double> numbers) {
  std::vector<double> sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/// The p-value of the hypothesis that `errors` are not smaller than `others`.
double p_of_smaller(std::span<const double> errors, std::span<const double> others) {
  std::vector<std::pair<double, bool>> all;
  for (const double error : errors) {
    all.emplace_back(error, true);
  }
  for (const double error : others) {
    all.emplace_back(error, false);
  }
  std::sort(all.begin(), all.end());
  double ranks = 0, ties = 0;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i;
    while (end < all.size() && all[end].first == all[i].first) {
      ++end;
    }
    const auto same = static_cast<double>(end - i);
    const double rank = static_cast<double>(i + 1 + end) / 2;
    for (; i < end; ++i) {
      ranks += all[i].second ? rank : 0;
    }
    ties += same * same * same - same;
  }
  const auto n = static_cast<double>(errors.size()), m = static_cast<double>(others.size());
  const double u = ranks - n * (n + 1) / 2;
  const double variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)));
  return variance > 0 ? std::erfc((n * m / 2 - u) / std::sqrt(variance) / std::sqrt(2.0)) / 2 : 1;
}

}  // namespace

bool are_much_smaller(std::span<const double> errors, std::span<const double> others) {
  return std::min(errors.size(), others.size()) >= kMinOnASide &&
         middle_of(errors) <= kRatioOfMedians * middle_of(others) && p_of_smaller(errors, others) < kLevel;
}

MissComparison compare_with_neighbours(const EnvironmentLists& environments, std::span<const double> measured,
                                       std::span<const double> predicted, bool are_classes) {
  MissComparison result;
  if (environments.size() < kMinCompared) {
    return result;
  }
  const EnvironmentIndex index(environments, 1);
  std::vector<std::uint32_t> labels(environments.size());
  std::iota(labels.begin(), labels.end(), std::uint32_t{0});
  std::vector<Exclusion> exclusions;
  for (const std::uint32_t label : labels) {
    exclusions.push_back({labels, label});
  }
  std::vector<EnvironmentQuery> queries;
  for (std::size_t i = 0; i < environments.size(); ++i) {
    queries.push_back({environments.of(i), true, std::span(exclusions).subspan(i, 1)});
  }
  const std::vector<EnvironmentScores> found = index.compare(queries);
  const auto miss = [&](double prediction, double value) {
    return are_classes ? static_cast<double>((prediction >= 0.5) != (value >= 0.5))
                       : std::abs(prediction - value);
  };
  std::vector<double> own, nearest;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double sum = 0, weights = 0;
    for (std::size_t j = 0; j < found[i].nearest_count; ++j) {
      const Neighbour& neighbour = found[i].nearest[j];
      const double weight = std::pow(std::max(kLeastSimilarity, 1.0 - neighbour.distance), 2);
      sum += weight * measured[neighbour.molecule];
      weights += weight;
    }
    if (weights > 0) {
      nearest.push_back(miss(sum / weights, measured[i]));
      own.push_back(miss(predicted[i], measured[i]));
    }
  }
  result.molecules = own.size();
  if (own.size() < kMinCompared) {
    return result;
  }
  if (are_classes) {
    const double wrong = std::accumulate(nearest.begin(), nearest.end(), 0.0);
    result.own = std::accumulate(own.begin(), own.end(), 0.0) / static_cast<double>(own.size());
    result.nearest = wrong / static_cast<double>(own.size());
    result.are_in_sample = wrong >= kMinWrong && result.own < kRatioToNeighbours * result.nearest;
  } else {
    result.own = middle_of(own);
    result.nearest = middle_of(nearest);
    result.are_in_sample = result.own < kRatioToNeighbours * result.nearest;
  }
  return result;
}

}  // namespace molgauge::domain
