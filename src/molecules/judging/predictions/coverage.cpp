#include "molecules/judging/predictions/coverage.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "molecules/judging/clustered_estimates.h"

namespace molgauge::domain {
namespace {

constexpr std::size_t kMaxReliabilityBins = 10, kMinInReliabilityBin = 10;

}  // namespace

Share share_with_interval(const std::vector<bool>& holds, const std::vector<std::string>& clusters,
                          double other_design_effect) {
  if (holds.empty()) {
    return {};
  }
  std::map<std::string_view, std::size_t> numbers;
  std::vector<ClusteredValue> values;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    values.push_back({holds[i] ? 1.0 : 0.0, numbers.try_emplace(clusters[i], numbers.size()).first->second});
  }
  const Estimate share = clustered_share(values, other_design_effect);
  return {holds.size(), share.value, share.low, share.high};
}

double winkler_score(double lower, double upper, double value, double coverage) {
  const double outside = std::max({lower - value, value - upper, 0.0});
  return upper - lower + 2 / (1 - coverage) * outside;
}

std::vector<ReliabilityBin> reliability(std::span<const double> probabilities,
                                        const std::vector<bool>& labels,
                                        const std::vector<std::string>& clusters) {
  std::vector<std::size_t> order(probabilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return probabilities[one] < probabilities[other];
  });
  const std::size_t count =
      order.empty() ? 0
                    : std::clamp<std::size_t>(order.size() / kMinInReliabilityBin, 1, kMaxReliabilityBins);
  std::vector<ReliabilityBin> bins;
  for (std::size_t bin = 0; bin < count; ++bin) {
    const std::size_t first = bin * order.size() / count, end = (bin + 1) * order.size() / count;
    double sum = 0;
    std::vector<bool> own_labels;
    std::vector<std::string> own_clusters;
    for (std::size_t i = first; i < end; ++i) {
      sum += probabilities[order[i]];
      own_labels.push_back(labels[order[i]]);
      own_clusters.push_back(clusters[order[i]]);
    }
    bins.push_back({sum / static_cast<double>(end - first), share_with_interval(own_labels, own_clusters)});
  }
  return bins;
}

}  // namespace molgauge::domain
