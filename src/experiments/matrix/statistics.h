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

  /// Whether there is an interval: also with many runs there is none if they have few data seeds (summary.h).
  bool has_interval() const { return count >= kLeastForInterval && !std::isnan(low); }
  /// The fewest values that an interval is given for. Resamples of n values are all equal to the largest with
  /// probability n^-n: with three values the ends of the interval would be the extremes themselves, and with
  /// two it would be their range, which holds the mean of the next two only half of the time.
  static constexpr std::size_t kLeastForInterval = 5;
};

/// Mean, deviation, and from kLeastForInterval values on the percentile bootstrap (Efron 1979) of the mean
/// over 10,000 resamples, the same for the same values. values: at least one.
Estimate estimate(std::span<const double> values);

/// Wilcoxon's signed-rank test (1945) of paired differences, two-sided and exact: how often random signs give
/// a sum of ranks at least as far from its mean. Differences of zero are dropped, equal sizes share their
/// ranks. 1 where none is left. With n differences the smallest value is 2 / 2^n.
double signed_rank_p_value(std::span<const double> differences);

/// Holm's correction for several tests (1979, Scandinavian Journal of Statistics 6:65): the probability of
/// one or more false claims among all tests is at most the level. Returns the corrected p-values in the order
/// of `p_values`: the k-th smallest of n is multiplied by n - k + 1, is at least as large as the one before,
/// and at most 1.
std::vector<double> holm_corrected(std::span<const double> p_values);

/// The two-sided p-value of a standard normal number.
double normal_p_value(double z);

}  // namespace headroom::matrix
