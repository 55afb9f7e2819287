#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::domain {

/// Minimises x'Gx / 2 - h'x, where the coefficients of x from the column `free_columns` on are not negative.
/// This is least squares with G = A'WA and h = A'Wb. The method is the active-set method of Lawson and Hanson
/// (1974, chapter 23). A column that depends linearly on other columns gets the coefficient 0.
///
/// `products`: G [n, n], symmetric and positive semidefinite. `right`: h [n]. Returns x [n].
std::vector<double> non_negative_least_squares(std::span<const double> products,
                                               std::span<const double> right, std::size_t free_columns = 0);

/// The limit above which numbers are winsorised: median + 3 (95 % quantile - median). For the absolute values
/// of normally distributed numbers, the limit is 4.5 standard deviations. A few wild numbers do not change
/// it. Returns infinity if the median equals the quantile, or for fewer than 20 numbers.
double winsor_limit(std::span<const double> numbers);

/// The mean of the numbers after all numbers above winsor_limit() were replaced by the limit.
double winsorised_mean(std::span<const double> numbers);

}  // namespace molgauge::domain
