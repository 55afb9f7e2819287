#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/core/error.h"
#include "base/core/threads/worker_group.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/linear_algebra/lower_triangles.h"

namespace molgauge::ops {
namespace {

/// Number of centred rows, and number of rows of the covariance, that are processed together. The centred
/// rows stay in the cache while their products are added to the rows of the covariance.
constexpr std::size_t kRowsAtOnce = 64, kColumnsAtOnce = 64;

/// Adds the products on and above the diagonal to the sums of the covariance. Processes the block of rows of
/// the covariance that starts at `first`.
void add_products(std::span<const float> rows, const std::vector<double>& mean, std::size_t first,
                  std::vector<double>& sums) {
  const std::size_t width = mean.size(), last = std::min(width, first + kColumnsAtOnce);
  const std::size_t count = rows.size() / width;
  std::vector<double> centred(kRowsAtOnce * width);
  for (std::size_t row = 0; row < count; row += kRowsAtOnce) {
    const std::size_t own = std::min(kRowsAtOnce, count - row);
    for (std::size_t k = 0; k < own; ++k) {
      for (std::size_t i = first; i < width; ++i) {
        centred[k * width + i] = rows[(row + k) * width + i] - mean[i];
      }
    }
    for (std::size_t i = first; i < last; ++i) {
      cpu::loops().add_products_with(i, centred.data(), own, width, &sums[i * width]);
    }
  }
}

}  // namespace

Moments moments_of(std::span<const float> rows, std::size_t width, std::size_t threads) {
  Moments moments;
  moments.rows = width == 0 ? 0 : rows.size() / width;
  if (moments.rows == 0) {
    throw InputError("a covariance needs at least one molecule");
  }
  const auto count = static_cast<double>(moments.rows);
  moments.mean.assign(width, 0);
  for (std::size_t row = 0; row < moments.rows; ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      moments.mean[i] += rows[row * width + i];
    }
  }
  for (double& mean : moments.mean) {
    mean /= count;
  }
  for (std::size_t row = 0; row < moments.rows; ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const double value = rows[row * width + i] - moments.mean[i];
      squares += value * value;
    }
    moments.fourth_moments += squares * squares;
  }
  moments.covariance.assign(width * width, 0);
  // Each thread computes separate columns of the result. It adds the rows in their order.
  parallel_for((width + kColumnsAtOnce - 1) / kColumnsAtOnce, threads, [&](std::size_t block) {
    add_products(rows, moments.mean, block * kColumnsAtOnce, moments.covariance);
  });
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = i; j < width; ++j) {
      const double value = moments.covariance[i * width + j] / count;
      moments.covariance[i * width + j] = moments.covariance[j * width + i] = value;
    }
  }
  return moments;
}

// Computes the rows of L', so that its loops run over numbers that lie side by side.
std::vector<double> cholesky(std::vector<double> matrix, std::size_t width) {
  std::vector<double> upper(width * width), factors(width);
  for (std::size_t i = 0; i < width; ++i) {
    const std::span<double> row(&upper[i * width + i], width - i);
    for (std::size_t j = i; j < width; ++j) {
      row[j - i] = matrix[j * width + i];
    }
    for (std::size_t k = 0; k < i; ++k) {
      factors[k] = -upper[k * width + i];
    }
    add_multiples(row, std::span(factors).first(i), upper.data() + i, width);
    if (!(row[0] > 0)) {
      throw std::invalid_argument("the matrix is not positive definite");
    }
    row[0] = std::sqrt(row[0]);
    for (double& value : row.subspan(1)) {
      value /= row[0];
    }
  }
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      matrix[i * width + j] = j <= i ? upper[j * width + i] : 0;
    }
  }
  return matrix;
}

std::vector<double> inverse_of_lower(const std::vector<double>& lower, std::size_t width) {
  std::vector<double> inverse(width * width, 0), factors(width);
  for (std::size_t i = 0; i < width; ++i) {
    const std::span<double> row(&inverse[i * width], i);
    for (std::size_t k = 0; k < i; ++k) {
      factors[k] = -lower[i * width + k];
    }
    add_multiples(row, std::span(factors).first(i), inverse.data(), width);
    const double diagonal = lower[i * width + i];
    for (double& value : row) {
      value /= diagonal;
    }
    inverse[i * width + i] = 1 / diagonal;
  }
  return inverse;
}

std::vector<double> solve(const std::vector<double>& lower, std::vector<double> right, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      right[i] -= lower[i * width + k] * right[k];
    }
    right[i] /= lower[i * width + i];
  }
  for (std::size_t i = width; i-- > 0;) {
    for (std::size_t k = i + 1; k < width; ++k) {
      right[i] -= lower[k * width + i] * right[k];
    }
    right[i] /= lower[i * width + i];
  }
  return right;
}

void squared_lengths(std::span<const double> lower, std::size_t width, const double* columns,
                     std::span<double, kSideBySide> squares) {
  cpu::loops().squared_lengths(width, lower.data(), columns, squares.data());
}

void add_multiples(std::span<double> sums, std::span<const double> coefficients, const double* rows,
                   std::size_t stride) {
  std::size_t k = 0;
  for (; k + 4 <= coefficients.size(); k += 4) {
    const double a = coefficients[k], b = coefficients[k + 1], c = coefficients[k + 2],
                 d = coefficients[k + 3];
    const double *const first = rows + k * stride, *const second = first + stride,
                        *const third = second + stride, *const fourth = third + stride;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] = (((sums[i] + a * first[i]) + b * second[i]) + c * third[i]) + d * fourth[i];
    }
  }
  for (; k < coefficients.size(); ++k) {
    const double* const row = rows + k * stride;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += coefficients[k] * row[i];
    }
  }
}

}  // namespace molgauge::ops
