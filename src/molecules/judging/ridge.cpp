#include "molecules/judging/ridge.h"

#include <cmath>
#include <numeric>

#include "base/core/threads/worker_group.h"

namespace molgauge::domain {
namespace {

constexpr double kLeastVariance = 1e-12;
/// The columns that are multiplied together. A block of each row stays in the cache.
constexpr std::size_t kDualRowsAtOnce = 16;

}  // namespace

RidgeRegression::RidgeRegression(std::span<const float> rows, std::span<const double> values,
                                 std::size_t width, std::size_t threads)
    : width_(width), deviation_(width) {
  mean_value_ = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  if (values.size() < width) {
    prepare_dual(rows, values, threads);
  } else {
    prepare_primal(rows, values, threads);
  }
}

void RidgeRegression::prepare_primal(std::span<const float> rows, std::span<const double> values,
                                     std::size_t threads) {
  const auto count = static_cast<double>(values.size());
  ops::Moments moments = ops::moments_of(rows, width_, threads);
  mean_ = std::move(moments.mean);
  matrix_ = std::move(moments.covariance);
  right_.assign(width_, 0);
  for (std::size_t i = 0; i < width_; ++i) {
    const double variance = matrix_[i * width_ + i];
    deviation_[i] = variance > kLeastVariance ? std::sqrt(variance) : 0;
  }
  for (std::size_t row = 0; row < values.size(); ++row) {
    for (std::size_t i = 0; i < width_; ++i) {
      right_[i] += (rows[row * width_ + i] - mean_[i]) * (values[row] - mean_value_);
    }
  }
  for (std::size_t i = 0; i < width_; ++i) {
    right_[i] = deviation_[i] > 0 ? right_[i] / deviation_[i] / count : 0;
    for (std::size_t j = 0; j < width_; ++j) {
      const double scale = deviation_[i] * deviation_[j];
      double& value = matrix_[i * width_ + j];
      value = scale > 0 ? value / scale : 0;
    }
  }
}

void RidgeRegression::prepare_dual(std::span<const float> rows, std::span<const double> values,
                                   std::size_t threads) {
  const std::size_t count = values.size();
  const auto number = static_cast<double>(count);
  mean_.assign(width_, 0);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < width_; ++i) {
      mean_[i] += rows[row * width_ + i];
    }
  }
  for (double& mean : mean_) {
    mean /= number;
  }
  standardised_.resize(count * width_);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < width_; ++i) {
      const double centred = rows[row * width_ + i] - mean_[i];
      standardised_[row * width_ + i] = centred;
      deviation_[i] += centred * centred / number;
    }
  }
  for (double& deviation : deviation_) {
    deviation = deviation > kLeastVariance ? std::sqrt(deviation) : 0;
  }
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < width_; ++i) {
      double& value = standardised_[row * width_ + i];
      value = deviation_[i] > 0 ? value / deviation_[i] : 0;
    }
    right_.push_back((values[row] - mean_value_) / number);
  }
  matrix_.resize(count * count);
  // Each thread computes separate rows of the result.
  parallel_for((count + kDualRowsAtOnce - 1) / kDualRowsAtOnce, threads, [&](std::size_t block) {
    const std::size_t end = std::min(count, (block + 1) * kDualRowsAtOnce);
    for (std::size_t i = block * kDualRowsAtOnce; i < end; ++i) {
      const double* const own = &standardised_[i * width_];
      for (std::size_t j = 0; j <= i; ++j) {
        const double* const other = &standardised_[j * width_];
        // Four sums, because a single sum waits for each addition.
        double sums[4] = {};
        std::size_t k = 0;
        for (; k + 4 <= width_; k += 4) {
          for (std::size_t lane = 0; lane < 4; ++lane) {
            sums[lane] += own[k + lane] * other[k + lane];
          }
        }
        double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        for (; k < width_; ++k) {
          sum += own[k] * other[k];
        }
        matrix_[i * count + j] = sum / number;
      }
    }
  });
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      matrix_[i * count + j] = matrix_[j * count + i];
    }
  }
}

void RidgeRegression::fit(double penalty) {
  const std::size_t size = right_.size();
  std::vector<double> matrix = matrix_;
  for (std::size_t i = 0; i < size; ++i) {
    matrix[i * size + i] += penalty;
  }
  std::vector<double> solution = ops::solve(ops::cholesky(std::move(matrix), size), right_, size);
  if (standardised_.empty()) {
    coefficients_ = std::move(solution);
    return;
  }
  coefficients_.assign(width_, 0);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t i = 0; i < width_; ++i) {
      coefficients_[i] += solution[row] * standardised_[row * width_ + i];
    }
  }
}

double RidgeRegression::predict(std::span<const float> row) const {
  double value = mean_value_;
  for (std::size_t i = 0; i < width_; ++i) {
    if (deviation_[i] > 0) {
      value += coefficients_[i] * (row[i] - mean_[i]) / deviation_[i];
    }
  }
  return value;
}

std::vector<double> RidgeRegression::linear() const {
  std::vector<double> numbers(width_ + 1);
  numbers[0] = mean_value_;
  for (std::size_t i = 0; i < width_; ++i) {
    if (deviation_[i] > 0) {
      numbers[i + 1] = coefficients_[i] / deviation_[i];
      numbers[0] -= numbers[i + 1] * mean_[i];
    }
  }
  return numbers;
}

}  // namespace molgauge::domain
