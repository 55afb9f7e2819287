#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::ops {

/// Mean of the rows [n, width], and their covariance X'X/n after subtracting the mean, in float64.
struct Moments {
  std::vector<double> mean;        ///< [width]
  std::vector<double> covariance;  ///< [width, width], symmetric
  double fourth_moments = 0;       ///< sum over the centred rows of |x|^4
  std::size_t rows = 0;
};

/// Computes the moments with `threads` threads. The number of threads does not change the result. Throws
/// InputError if there are no rows.
Moments moments_of(std::span<const float> rows, std::size_t width, std::size_t threads);

/// The lower triangle L of A = L L' for a symmetric positive definite A [width, width], with zeros above.
/// Throws std::invalid_argument if A is not positive definite.
std::vector<double> cholesky(std::vector<double> matrix, std::size_t width);

/// The inverse of a lower triangle [width, width], which is also a lower triangle.
std::vector<double> inverse_of_lower(const std::vector<double>& lower, std::size_t width);

/// Solves L L' x = b.
std::vector<double> solve(const std::vector<double>& lower, std::vector<double> right, std::size_t width);

/// Number of vectors that multiply_lower() processes together. Each number of the matrix is read once for all
/// of these vectors.
inline constexpr std::size_t kSideBySide = 16;

/// The products L x of a lower triangle L [width, width], which has zeros above its diagonal, with each
/// column x of `columns` [width, kSideBySide]. Sums are computed in the order of the coordinates.
void multiply_lower(std::span<const double> lower, std::size_t width, std::span<const double> columns,
                    std::span<double> products);

}  // namespace molgauge::ops
