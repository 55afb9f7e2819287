#include "molecules/judging/clustered_estimates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <boost/math/distributions/students_t.hpp>

namespace molgauge::domain {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kTwoSided = 0.975, kNormalQuantile = 1.959963984540054;

double mean_of_values(std::span<const ClusteredValue> values) {
  double sum = 0;
  for (const ClusteredValue& own : values) {
    sum += own.value;
  }
  return sum / static_cast<double>(values.size());
}

/// Returns the squared standard error of the mean, or NaN for fewer than two clusters.
double variance_of_mean(std::span<const ClusteredValue> values, double mean) {
  std::map<std::size_t, double> sums;
  for (const ClusteredValue& own : values) {
    sums[own.cluster] += own.value - mean;
  }
  if (sums.size() < 2) {
    return kUnknown;
  }
  double squares = 0;
  for (const auto& [cluster, sum] : sums) {
    squares += sum * sum;
  }
  const auto clusters = static_cast<double>(sums.size()), count = static_cast<double>(values.size());
  return clusters / (clusters - 1) * squares / (count * count);
}

double share_below(const std::vector<double>& sorted, double score) {
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), score);
  return (static_cast<double>(first - sorted.begin()) + static_cast<double>(last - first) / 2) /
         static_cast<double>(sorted.size());
}

/// Sums over the molecules of a cluster, for the variance of Obuchowski.
struct ClusterOfRoc {
  double positive_sum = 0, negative_sum = 0;
  std::size_t positives = 0, negatives = 0;
};

/// Returns the squared standard error of the area, or NaN if a class is in fewer than two clusters.
double variance_of_area(const std::map<std::size_t, ClusterOfRoc>& clusters, double area, double positives,
                        double negatives) {
  double of_positives = 0, of_negatives = 0, of_both = 0;
  std::size_t with_positives = 0, with_negatives = 0;
  for (const auto& [cluster, own] : clusters) {
    const double positive = own.positive_sum - static_cast<double>(own.positives) * area,
                 negative = own.negative_sum - static_cast<double>(own.negatives) * area;
    of_positives += positive * positive;
    of_negatives += negative * negative;
    of_both += positive * negative;
    with_positives += own.positives > 0 ? 1 : 0;
    with_negatives += own.negatives > 0 ? 1 : 0;
  }
  if (with_positives < 2 || with_negatives < 2) {
    return kUnknown;
  }
  const auto correction = [](std::size_t count) {
    return static_cast<double>(count) / (static_cast<double>(count) - 1);
  };
  const double variance = correction(with_positives) * of_positives / (positives * positives) +
                          correction(with_negatives) * of_negatives / (negatives * negatives) +
                          2 * correction(clusters.size()) * of_both / (positives * negatives);
  return std::max(0.0, variance);
}

struct Area {
  double value = 0, variance = 0;
};

Area area_of(std::span<const ClassifiedMolecule> molecules) {
  std::vector<double> positives, negatives;
  for (const ClassifiedMolecule& own : molecules) {
    (own.is_positive ? positives : negatives).push_back(own.score);
  }
  if (positives.empty() || negatives.empty()) {
    return {kUnknown, kUnknown};
  }
  std::sort(positives.begin(), positives.end());
  std::sort(negatives.begin(), negatives.end());
  std::map<std::size_t, ClusterOfRoc> clusters;
  double sum = 0;
  for (const ClassifiedMolecule& own : molecules) {
    ClusterOfRoc& cluster = clusters[own.cluster];
    if (own.is_positive) {
      const double below = share_below(negatives, own.score);
      cluster.positive_sum += below;
      ++cluster.positives;
      sum += below;
    } else {
      cluster.negative_sum += 1 - share_below(positives, own.score);
      ++cluster.negatives;
    }
  }
  const auto count = static_cast<double>(positives.size());
  const double area = sum / count;
  return {area, variance_of_area(clusters, area, count, static_cast<double>(negatives.size()))};
}

}  // namespace

std::size_t cluster_count(std::span<const ClusteredValue> values) {
  std::set<std::size_t> clusters;
  for (const ClusteredValue& own : values) {
    clusters.insert(own.cluster);
  }
  return clusters.size();
}

Estimate clustered_mean(std::span<const ClusteredValue> values) {
  if (values.empty()) {
    return {kUnknown, kUnknown, kUnknown};
  }
  const double mean = mean_of_values(values), variance = variance_of_mean(values, mean);
  if (std::isnan(variance)) {
    return {mean, kUnknown, kUnknown};
  }
  const boost::math::students_t student(static_cast<double>(cluster_count(values)) - 1);
  const double reach = boost::math::quantile(student, kTwoSided) * std::sqrt(variance);
  return {mean, mean - reach, mean + reach};
}

double design_effect(std::span<const ClusteredValue> values) {
  if (values.size() < 2) {
    return 1;
  }
  const double mean = mean_of_values(values);
  double squares = 0;
  for (const ClusteredValue& own : values) {
    squares += (own.value - mean) * (own.value - mean);
  }
  const auto count = static_cast<double>(values.size());
  const double independent = squares / (count - 1) / count, clustered = variance_of_mean(values, mean);
  return independent > 0 && clustered > independent ? clustered / independent : 1;
}

Estimate clustered_share(std::span<const ClusteredValue> values, double other_design_effect) {
  if (values.empty()) {
    return {kUnknown, kUnknown, kUnknown};
  }
  const double share = mean_of_values(values);
  const double effect = share > 0 && share < 1 ? design_effect(values) : std::max(1.0, other_design_effect);
  const double count = static_cast<double>(values.size()) / effect,
               square = kNormalQuantile * kNormalQuantile;
  const double middle = (share + square / (2 * count)) / (1 + square / count);
  const double reach = kNormalQuantile / (1 + square / count) *
                       std::sqrt(share * (1 - share) / count + square / (4 * count * count));
  // Rounding must not put the share outside its interval.
  return {share, std::clamp(middle - reach, 0.0, share), std::clamp(middle + reach, share, 1.0)};
}

Estimate clustered_auroc(std::span<const ClassifiedMolecule> molecules) {
  const Area area = area_of(molecules);
  if (!(area.value > 0 && area.value < 1) || std::isnan(area.variance)) {
    return {area.value, kUnknown, kUnknown};
  }
  const double middle = std::log(area.value / (1 - area.value)),
               reach = kNormalQuantile * std::sqrt(area.variance) / (area.value * (1 - area.value));
  const auto from_logit = [](double logit) { return 1 / (1 + std::exp(-logit)); };
  return {area.value, from_logit(middle - reach), from_logit(middle + reach)};
}

double variance_of_auroc(std::span<const ClassifiedMolecule> molecules) {
  return area_of(molecules).variance;
}

}  // namespace molgauge::domain
