#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::domain {

/// A value with its 95 % confidence interval. The limits are NaN if they cannot be computed.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

/// A number that was measured on a molecule, and the cluster (scaffold) of that molecule. Molecules of one
/// scaffold resemble each other, so their numbers are not independent. If the numbers are similar, these
/// molecules count as fewer observations.
struct ClusteredValue {
  double value = 0;
  std::size_t cluster = 0;
};

/// The number of distinct clusters.
std::size_t cluster_count(std::span<const ClusteredValue> values);

/// Mean of n values in G clusters with a cluster-robust standard error (Liang and Zeger 1986):
/// se^2 = G/(G-1) * sum over clusters of (sum of the deviations of the cluster)^2 / n^2. The interval is the
/// mean -/+ the 97.5 % quantile of Student's t with G - 1 degrees of freedom times se. It needs two clusters.
Estimate clustered_mean(std::span<const ClusteredValue> values);

/// Returns the variance of clustered_mean() divided by the variance for independent molecules. The result is
/// at least 1, and 1 if all values are equal.
double design_effect(std::span<const ClusteredValue> values);

/// Returns the share of ones among values that are 0 or 1. The interval is Wilson's (1927) for n / design
/// effect observations (Kish 1965). If the share is 0 or 1, `other_design_effect` is used as the design
/// effect.
Estimate clustered_share(std::span<const ClusteredValue> values, double other_design_effect = 1);

/// A molecule with a binary label and the score of a classifier. A larger score means the positive class.
struct ClassifiedMolecule {
  double score = 0;
  bool is_positive = false;
  std::size_t cluster = 0;
};

/// Area under the ROC curve. Ties count half. The variance is from Obuchowski (1997, "Nonparametric analysis
/// of clustered ROC curve data"). It equals the variance of DeLong if each cluster is one molecule. The
/// interval is symmetric on the logit scale. The area is NaN if a class is missing. There is no interval for
/// an area of 0 or 1, or if a class is in one cluster only.
Estimate clustered_auroc(std::span<const ClassifiedMolecule> molecules);

/// Returns the variance in clustered_auroc(), or NaN if a class is in fewer than two clusters.
double variance_of_auroc(std::span<const ClassifiedMolecule> molecules);

}  // namespace molgauge::domain
