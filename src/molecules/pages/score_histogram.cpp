#include "molecules/pages/score_histogram.h"

#include <algorithm>
#include <cmath>

namespace molgauge::report {
namespace {

/// Number of bins: twice the square root of the size of the smaller group, between 10 and 40. With this
/// number, the shape is visible and most bins are not empty.
std::size_t bins_for(std::size_t smaller_group) {
  return std::clamp<std::size_t>(std::lround(2 * std::sqrt(static_cast<double>(smaller_group))), 10, 40);
}

double quantile(const std::vector<float>& ascending, double share) {
  return ascending[static_cast<std::size_t>(std::lround(share * static_cast<double>(ascending.size() - 1)))];
}

std::vector<double> shares(std::span<const float> scores, double low, double high, std::size_t count) {
  std::vector<double> bins(count, 0);
  for (const float score : scores) {
    const double place = (static_cast<double>(score) - low) / (high - low) * static_cast<double>(count);
    const auto last = static_cast<double>(count - 1);
    bins[static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, last))] +=
        1.0 / static_cast<double>(scores.size());
  }
  return bins;
}

}  // namespace

page::Histogram score_histogram(std::span<const float> id, std::span<const float> ood,
                                std::string description) {
  std::vector<float> all(id.begin(), id.end());
  all.insert(all.end(), ood.begin(), ood.end());
  std::sort(all.begin(), all.end());
  page::Histogram histogram{
      std::move(description), "score (larger: further out)", quantile(all, 0.005), quantile(all, 0.995), {}};
  if (!(histogram.high > histogram.low)) {  // all values are equal
    const double room = std::max(std::abs(histogram.low) * 0.1, 1e-6);
    histogram.low -= room;
    histogram.high += room;
  }
  const std::size_t bins = bins_for(std::min(id.size(), ood.size()));
  histogram.groups = {{0, shares(id, histogram.low, histogram.high, bins)},
                      {1, shares(ood, histogram.low, histogram.high, bins)}};
  return histogram;
}

}  // namespace molgauge::report
