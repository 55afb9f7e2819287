#include "models/domain/predictions/coverage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

namespace headroom::domain {
namespace {

constexpr double kNormal95 = 1.959963984540054;
constexpr std::size_t kMaxReliabilityBins = 10, kMinInReliabilityBin = 10;

/// Variance of the mean over clusters, divided by its variance over independent molecules. At least 1.
double design_effect(const std::vector<bool>& holds, const std::vector<std::string>& clusters, double share) {
  std::map<std::string_view, double> residuals;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    residuals[clusters[i]] += (holds[i] ? 1 : 0) - share;
  }
  const auto groups = static_cast<double>(residuals.size());
  if (groups < 2 || share <= 0 || share >= 1) {
    return 1;
  }
  double squares = 0;
  for (const auto& [cluster, residual] : residuals) {
    squares += residual * residual;
  }
  const auto count = static_cast<double>(holds.size());
  return std::max(1.0, squares * groups / (groups - 1) / (count * share * (1 - share)));
}

}  // namespace

Share share_with_interval(const std::vector<bool>& holds, const std::vector<std::string>& clusters) {
  Share result;
  result.molecules = holds.size();
  if (holds.empty()) {
    return result;
  }
  const auto count = static_cast<double>(holds.size());
  result.share = static_cast<double>(std::count(holds.begin(), holds.end(), true)) / count;
  const double effective = count / design_effect(holds, clusters, result.share);
  const double z2 = kNormal95 * kNormal95 / effective;
  const double middle = (result.share + z2 / 2) / (1 + z2);
  const double reach = std::sqrt(result.share * (1 - result.share) * z2 + z2 * z2 / 4) / (1 + z2);
  result.low = std::max(0.0, middle - reach);
  result.high = std::min(1.0, middle + reach);
  return result;
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

}  // namespace headroom::domain
