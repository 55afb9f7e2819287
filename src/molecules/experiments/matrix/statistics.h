#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::matrix {

/// A mean over seeds and its uncertainty.
struct Estimate {
  std::size_t count = 0;
  double mean = 0;
  double standard_deviation = 0;  ///< deviation of the sample (n - 1); 0 for one value
  double low = 0, high = 0;       ///< 95 % bootstrap interval of the mean; NaN if there is none

  /// Whether there is an interval. With few data seeds, there may be no interval even for many runs
  /// (summary.h).
  bool has_interval() const { return count >= kLeastForInterval && !std::isnan(low); }
  /// The minimum number of values for an interval. A resample of n values consists only of the largest value
  /// with probability n^-n. With three values, this probability is so high that the limits of the interval
  /// would always be the smallest and the largest value. With two values, the interval would be their range,
  /// which contains the mean of two new values only half of the time.
  static constexpr std::size_t kLeastForInterval = 5;
};

/// Returns mean and deviation. If there are at least kLeastForInterval values, also returns the interval of
/// the percentile bootstrap (Efron 1979) of the mean over 10,000 resamples. The resamples are deterministic.
/// `values` must not be empty.
Estimate estimate(std::span<const double> values);

/// Computes the exact two-sided p-value of Wilcoxon's signed-rank test (1945) for paired differences. It is
/// the probability that, with random signs, the sum of ranks is at least as far from its mean as the observed
/// sum. Differences of zero are dropped. Differences of equal size get their average rank. Returns 1 if no
/// difference is left. With n differences the smallest value is 2 / 2^n.
double signed_rank_p_value(std::span<const double> differences);

/// Corrects p-values of several tests with Holm's method (1979, Scandinavian Journal of Statistics 6:65). The
/// probability of at least one false claim among all tests is then at most the level. Returns the corrected
/// values in the order of `p_values`. The k-th smallest of n p-values is multiplied by n - k + 1. If the
/// product is smaller than the previous corrected value, that value is used instead. Corrected values are at
/// most 1.
std::vector<double> holm_corrected(std::span<const double> p_values);

/// The two-sided p-value of a standard normal value.
double normal_p_value(double z);

}  // namespace molgauge::matrix
