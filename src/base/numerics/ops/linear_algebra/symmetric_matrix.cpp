#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/core/error.h"
#include "base/core/threads/worker_group.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/cpu/loops.h"

namespace molgauge::ops {
namespace {

/// Number of centred rows, and number of rows of the covariance, that are processed together. The centred
/// rows stay in the cache while their products are added to the rows of the covariance.
constexpr std::size_t kRowsAtOnce = 64, kColumnsAtOnce = 64;

/// Adds the products on and above the diagonal to the sums of the covariance, and some below. Processes the
/// block of rows of the covariance that starts at `first`.
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
    cpu::loops().add_multiples({.factors = &centred[first],
                                .to_next_target = 1,
                                .to_next_row = width,
                                .rows = &centred[first],
                                .sums = &sums[first * width + first],
                                .stride = width,
                                .count = own,
                                .targets = last - first,
                                .width = width - first});
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
  std::vector<double> upper(width * width), factors(kRowsAtOnce * width);
  for (std::size_t first = 0; first < width; first += kRowsAtOnce) {
    const std::size_t last = std::min(width, first + kRowsAtOnce);
    // Subtracts the products of the rows begin to end - 1 of `upper` from the rows first_target to
    // last_target - 1.
    const auto subtract = [&](std::size_t begin, std::size_t end, std::size_t first_target,
                              std::size_t last_target) {
      const std::size_t targets = last_target - first_target;
      for (std::size_t k = begin; k < end; ++k) {
        for (std::size_t i = 0; i < targets; ++i) {
          factors[(k - begin) * targets + i] = -upper[k * width + first_target + i];
        }
      }
      cpu::loops().add_multiples({.factors = factors.data(),
                                  .to_next_target = 1,
                                  .to_next_row = targets,
                                  .rows = &upper[begin * width + first_target],
                                  .sums = &upper[first_target * width + first_target],
                                  .stride = width,
                                  .count = end - begin,
                                  .targets = targets,
                                  .width = width - first_target});
    };
    for (std::size_t i = first; i < last; ++i) {
      for (std::size_t j = first; j < width; ++j) {
        upper[i * width + j] = matrix[j * width + i];
      }
    }
    subtract(0, first, first, last);
    for (std::size_t i = first; i < last; ++i) {
      subtract(first, i, i, i + 1);
      const std::span<double> row(&upper[i * width + i], width - i);
      if (!(row[0] > 0)) {
        throw std::invalid_argument("the matrix is not positive definite");
      }
      row[0] = std::sqrt(row[0]);
      for (double& value : row.subspan(1)) {
        value /= row[0];
      }
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
  std::vector<double> inverse(width * width, 0), factors(kRowsAtOnce * width);
  for (std::size_t first = 0; first < width; first += kRowsAtOnce) {
    const std::size_t last = std::min(width, first + kRowsAtOnce);
    // Subtracts multiples of the rows begin to end - 1 of the inverse from the rows first_target to
    // last_target - 1.
    const auto subtract = [&](std::size_t begin, std::size_t end, std::size_t first_target,
                              std::size_t last_target) {
      for (std::size_t i = first_target; i < last_target; ++i) {
        for (std::size_t k = begin; k < end; ++k) {
          factors[(i - first_target) * width + k] = -lower[i * width + k];
        }
      }
      cpu::loops().add_multiples({.factors = &factors[begin],
                                  .to_next_target = width,
                                  .to_next_row = 1,
                                  .rows = &inverse[begin * width],
                                  .sums = &inverse[first_target * width],
                                  .stride = width,
                                  .count = end - begin,
                                  .targets = last_target - first_target,
                                  .width = end});
    };
    subtract(0, first, first, last);
    for (std::size_t i = first; i < last; ++i) {
      subtract(first, i, i, i + 1);
      const double diagonal = lower[i * width + i];
      for (std::size_t j = 0; j < i; ++j) {
        inverse[i * width + j] /= diagonal;
      }
      inverse[i * width + i] = 1 / diagonal;
    }
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

void multiply_lower(std::span<const double> lower, std::size_t width, std::span<const double> columns,
                    std::span<double> products) {
  cpu::loops().multiply_lower(width, lower.data(), columns.data(), products.data());
}

}  // namespace molgauge::ops
