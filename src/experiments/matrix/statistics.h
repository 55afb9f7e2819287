#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace headroom::matrix {

/// A mean over seeds and its uncertainty.
struct Estimate {
  std::size_t count = 0;
  double mean = 0;
  double standard_deviation = 0;  ///< deviation of the sample (n - 1); 0 for one value
  double low = 0, high = 0;       ///< 95 % bootstrap interval of the mean; NaN if there is none

  /// Whether there is an interval. Many runs with few data seeds have none (summary.h).
  bool has_interval() const { return count >= kLeastForInterval && !std::isnan(low); }
  /// The minimum number of values for an interval. All n values of a resample are the largest one with
  /// probability n^-n. With three values, the interval would therefore end at the extremes. With two values,
  /// it would be their range, which contains the mean of the next two only half of the time.
  static constexpr std::size_t kLeastForInterval = 5;
};

/// Returns mean and deviation. From kLeastForInterval values on, also the percentile bootstrap (Efron 1979)
/// of the mean over 10,000 resamples, which is deterministic. `values` must not be empty.
Estimate estimate(std::span<const double> values);

/// Computes the exact two-sided p-value of Wilcoxon's signed-rank test (1945) for paired differences: the
/// probability that random signs give a sum of ranks at least as far from its mean. Differences of zero are
/// dropped, and equal sizes share their ranks. Returns 1 if no difference is left. With n differences the
/// smallest value is 2 / 2^n.
double signed_rank_p_value(std::span<const double> differences);

/// Corrects p-values of several tests with Holm's method (1979, Scandinavian Journal of Statistics 6:65). The
/// probability of at least one false claim among all tests is then at most the level. Returns the corrected
/// values in the order of `p_values`. The k-th smallest of n is multiplied by n - k + 1. It is at least as
/// large as the one before, and at most 1.
std::vector<double> holm_corrected(std::span<const double> p_values);

/// The two-sided p-value of a standard normal value.
double normal_p_value(double z);

}  // namespace headroom::matrix
