#include "molecules/experiments/matrix/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace molgauge::matrix {
namespace {

constexpr std::size_t kResamples = 10'000;

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

std::vector<double> bootstrap_means(std::span<const double> values) {
  std::mt19937_64 random(0);
  std::vector<double> means(kResamples);
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[random() % values.size()];
    }
    mean = sum / static_cast<double>(values.size());
  }
  std::sort(means.begin(), means.end());
  return means;
}

/// Twice the rank of each value. Tied ranks are then integers as well.
std::vector<std::size_t> doubled_ranks(std::vector<double> sizes) {
  std::sort(sizes.begin(), sizes.end());
  std::vector<std::size_t> ranks(sizes.size());
  for (std::size_t first = 0; first < sizes.size();) {
    std::size_t end = first;
    while (end < sizes.size() && sizes[end] == sizes[first]) {
      ++end;
    }
    std::fill(ranks.begin() + static_cast<std::ptrdiff_t>(first),
              ranks.begin() + static_cast<std::ptrdiff_t>(end), first + 1 + end);
    first = end;
  }
  return ranks;
}

}  // namespace

Estimate estimate(std::span<const double> values) {
  Estimate result{.count = values.size(), .mean = mean_of(values)};
  result.low = result.high = std::numeric_limits<double>::quiet_NaN();
  if (values.size() < 2) {
    return result;
  }
  double squares = 0;
  for (const double value : values) {
    squares += (value - result.mean) * (value - result.mean);
  }
  result.standard_deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  if (values.size() < Estimate::kLeastForInterval) {
    return result;
  }
  const auto means = bootstrap_means(values);
  result.low = means[static_cast<std::size_t>(0.025 * kResamples)];
  result.high = means[static_cast<std::size_t>(0.975 * kResamples) - 1];
  return result;
}

double signed_rank_p_value(std::span<const double> differences) {
  std::vector<double> sizes;
  std::copy_if(differences.begin(), differences.end(), std::back_inserter(sizes),
               [](double difference) { return difference != 0; });
  const std::size_t count = sizes.size();
  std::vector<double> positive;
  for (double& size : sizes) {
    if (size > 0) {
      positive.push_back(size);
    }
    size = std::abs(size);
  }
  const auto ranks = doubled_ranks(sizes);
  std::sort(sizes.begin(), sizes.end());
  std::size_t observed = 0, total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    total += ranks[i];
  }
  for (const double size : positive) {
    observed +=
        ranks[static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), size) - sizes.begin())];
  }
  // share[s]: share of the sign combinations whose positive ranks have the sum s.
  std::vector<double> share(total + 1, 0.0);
  share[0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t sum = total + 1; sum-- > 0;) {
      share[sum] = 0.5 * (share[sum] + (sum >= rank ? share[sum - rank] : 0.0));
    }
  }
  const auto distance = [&](std::size_t sum) { return sum * 2 > total ? sum * 2 - total : total - sum * 2; };
  double p_value = 0;
  for (std::size_t sum = 0; sum <= total; ++sum) {
    if (distance(sum) >= distance(observed)) {
      p_value += share[sum];
    }
  }
  return std::min(1.0, p_value);
}

std::vector<double> holm_corrected(std::span<const double> p_values) {
  std::vector<std::size_t> ascending(p_values.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::stable_sort(ascending.begin(), ascending.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> corrected(p_values.size());
  double least = 0;
  for (std::size_t k = 0; k < ascending.size(); ++k) {
    const auto tests_left = static_cast<double>(ascending.size() - k);
    least = std::max(least, std::min(1.0, tests_left * p_values[ascending[k]]));
    corrected[ascending[k]] = least;
  }
  return corrected;
}

double normal_p_value(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

}  // namespace molgauge::matrix
