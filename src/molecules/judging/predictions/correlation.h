#pragma once

#include <span>
#include <vector>

namespace molgauge::domain {

/// Pearson's correlation of two lists of equal length. NaN if a list is constant.
double pearson_correlation(std::span<const double> one, std::span<const double> other);

/// Spearman's rank correlation: Pearson's correlation of the ranks. Ties have their mean rank.
double spearman_correlation(std::span<const double> one, std::span<const double> other);

/// The number at `share` (0 to 1) of the sorted numbers, interpolated linearly.
double quantile_of(std::span<const double> numbers, double share);

}  // namespace molgauge::domain
