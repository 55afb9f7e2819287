#include "domain/symmetric_matrix.h"

#include <cmath>
#include <stdexcept>

#include "core/error.h"
#include "core/worker_group.h"

namespace headroom::domain {

Moments moments_of(std::span<const float> rows, std::size_t width, std::size_t threads) {
  Moments moments;
  moments.rows = width == 0 ? 0 : rows.size() / width;
  if (moments.rows == 0) {
    throw InputError("a covariance needs at least one molecule");
  }
  const auto count = static_cast<double>(moments.rows);
  moments.mean.assign(width, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    moments.mean[i % width] += rows[i];
  }
  for (double& mean : moments.mean) {
    mean /= count;
  }
  std::vector<double> centred(rows.size());
  for (std::size_t row = 0; row < moments.rows; ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const double value = rows[row * width + i] - moments.mean[i];
      centred[row * width + i] = value;
      squares += value * value;
    }
    moments.fourth_moments += squares * squares;
  }
  moments.covariance.assign(width * width, 0);
  // A thread has columns of the result to itself and takes the rows in their order.
  parallel_for(width, threads, [&](std::size_t i) {
    double* const sums = &moments.covariance[i * width];
    for (std::size_t row = 0; row < moments.rows; ++row) {
      const double* const values = &centred[row * width];
      const double own = values[i];
      for (std::size_t j = i; j < width; ++j) {
        sums[j] += own * values[j];
      }
    }
  });
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = i; j < width; ++j) {
      const double value = moments.covariance[i * width + j] / count;
      moments.covariance[i * width + j] = moments.covariance[j * width + i] = value;
    }
  }
  return moments;
}

std::vector<double> cholesky(std::vector<double> matrix, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    double* const row = &matrix[i * width];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const other = &matrix[j * width];
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= row[k] * other[k];
      }
      if (i == j) {
        if (!(sum > 0)) {
          throw std::invalid_argument("the matrix is not positive definite");
        }
        row[j] = std::sqrt(sum);
      } else {
        row[j] = sum / other[j];
      }
    }
    for (std::size_t j = i + 1; j < width; ++j) {
      row[j] = 0;
    }
  }
  return matrix;
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

}  // namespace headroom::domain
