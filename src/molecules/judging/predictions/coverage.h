#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace molgauge::domain {

/// A share of molecules with its 95 % confidence interval.
struct Share {
  std::size_t molecules = 0;
  double share = 0, low = 0, high = 1;
};

/// Returns the share of molecules for which `holds` is true, with the interval of clustered_share().
/// Molecules of one scaffold are a cluster. `clusters` [holds.size()]. `other_design_effect`: design effect
/// for a share of 0 or 1. Without molecules the share is 0 and the interval is [0, 1].
Share share_with_interval(const std::vector<bool>& holds, const std::vector<std::string>& clusters,
                          double other_design_effect = 1);

/// The interval score of Winkler (1972) and of Gneiting and Raftery (2007, eq. 43):
/// width + 2 / (1 - coverage) * distance of the value to the interval. Smaller is better.
double winkler_score(double lower, double upper, double value, double coverage);

/// A bin of a reliability diagram.
struct ReliabilityBin {
  double predicted = 0;  ///< mean predicted probability of class 1
  Share observed;        ///< share of class 1
};

/// Divides the molecules by predicted probability into up to ten bins of equal count, with at least ten
/// molecules each. If there are fewer than twenty molecules, returns one bin.
std::vector<ReliabilityBin> reliability(std::span<const double> probabilities,
                                        const std::vector<bool>& labels,
                                        const std::vector<std::string>& clusters);

}  // namespace molgauge::domain
