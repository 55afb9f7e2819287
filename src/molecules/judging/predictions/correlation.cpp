#include "molecules/judging/predictions/correlation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace molgauge::domain {
namespace {

std::vector<double> ranks_of(std::span<const double> numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return numbers[one] < numbers[other]; });
  std::vector<double> ranks(numbers.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && numbers[order[end]] == numbers[order[first]]) {
      ++end;
    }
    const double rank = static_cast<double>(first + end - 1) / 2;
    for (; first < end; ++first) {
      ranks[order[first]] = rank;
    }
  }
  return ranks;
}

}  // namespace

double pearson_correlation(std::span<const double> one, std::span<const double> other) {
  const auto count = static_cast<double>(one.size());
  const double mean = std::accumulate(one.begin(), one.end(), 0.0) / count,
               other_mean = std::accumulate(other.begin(), other.end(), 0.0) / count;
  double products = 0, squares = 0, other_squares = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double own = one[i] - mean, second = other[i] - other_mean;
    products += own * second;
    squares += own * own;
    other_squares += second * second;
  }
  if (!(squares > 0) || !(other_squares > 0)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return std::clamp(products / std::sqrt(squares) / std::sqrt(other_squares), -1.0, 1.0);
}

double spearman_correlation(std::span<const double> one, std::span<const double> other) {
  return pearson_correlation(ranks_of(one), ranks_of(other));
}

double quantile_of(std::span<const double> numbers, double share) {
  std::vector<double> sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace molgauge::domain
