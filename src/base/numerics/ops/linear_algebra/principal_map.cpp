#include "base/numerics/ops/linear_algebra/principal_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/core/threads/worker_group.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/cpu/loops.h"
#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

namespace molgauge::ops {
namespace {

constexpr std::size_t kMaxRows = 5000;
constexpr int kIterations = 300;

double dot(std::span<const double> one, std::span<const double> other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    sum += one[i] * other[i];
  }
  return sum;
}

/// The dot product, as the sum of the dot products of every eighth number. The order of the additions is the
/// same on every CPU.
double dot_in_lanes(const double* one, const double* other, std::size_t width) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += one[i + lane] * other[i + lane];
    }
  }
  for (; i < width; ++i) {
    sums[i % kLanes] += one[i] * other[i];
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// The sum of the rows [factors, width], each times its factor.
std::vector<double> weighted_sum(const std::vector<double>& rows, std::span<const double> factors,
                                 std::size_t width) {
  std::vector<double> sum(width);
  cpu::loops().add_multiples({.factors = factors.data(),
                              .to_next_target = 0,
                              .to_next_row = 1,
                              .rows = rows.data(),
                              .sums = sum.data(),
                              .stride = width,
                              .count = factors.size(),
                              .targets = 1,
                              .width = width});
  return sum;
}

/// The product of a symmetric matrix and a vector.
std::vector<double> product(const std::vector<double>& matrix, std::span<const double> vector) {
  return weighted_sum(matrix, vector, vector.size());
}

void scale_to_one(std::vector<double>& vector) {
  const double length = std::sqrt(dot(vector, vector));
  for (double& value : vector) {
    value = length > 0 ? value / length : 0;
  }
}

void turn_up(std::vector<double>& vector) {
  const auto largest = std::max_element(
      vector.begin(), vector.end(), [](double one, double other) { return std::abs(one) < std::abs(other); });
  if (largest != vector.end() && *largest < 0) {
    for (double& value : vector) {
      value = -value;
    }
  }
}

/// The eigenvector of the largest eigenvalue.
std::vector<double> largest_direction(const std::vector<double>& matrix, std::size_t width) {
  std::vector<double> direction(width);
  for (std::size_t i = 0; i < width; ++i) {
    // A start vector, which is almost certainly not orthogonal to the eigenvector.
    direction[i] = 1 + static_cast<double>(i % 7);
  }
  for (int i = 0; i < kIterations; ++i) {
    std::vector<double> next = product(matrix, direction);
    scale_to_one(next);
    if (next == direction) {
      break;  // further products would change nothing
    }
    direction = std::move(next);
  }
  return direction;
}

struct Eigenvector {
  std::vector<double> direction;  ///< of length 1
  double share = 0;               ///< share of the trace
};

/// The eigenvectors of the two largest eigenvalues of a symmetric matrix [width, width].
std::array<Eigenvector, 2> two_largest(std::vector<double> matrix, std::size_t width) {
  double trace = 0;
  for (std::size_t i = 0; i < width; ++i) {
    trace += matrix[i * width + i];
  }
  std::array<Eigenvector, 2> found;
  for (Eigenvector& one : found) {
    one.direction = largest_direction(matrix, width);
    const double value = dot(one.direction, product(matrix, one.direction));
    one.share = trace > 0 ? value / trace : 0;
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t k = 0; k < width; ++k) {
        matrix[j * width + k] -= value * one.direction[k] * one.direction[j];
      }
    }
  }
  return found;
}

/// The map of fewer rows than coordinates, from the products of the rows: X'u is an eigenvector of X'X if u
/// is one of XX'.
PrincipalMap map_of_few(std::span<const float> rows, std::size_t width, std::size_t threads) {
  const std::size_t count = rows.size() / width;
  PrincipalMap map;
  map.mean.resize(width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    map.mean[i % width] += rows[i];
  }
  for (double& mean : map.mean) {
    mean /= static_cast<double>(count);
  }
  std::vector<double> centred(rows.begin(), rows.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    centred[i] -= map.mean[i % width];
  }
  std::vector<double> products(count * count);
  parallel_for(count, threads, [&](std::size_t i) {
    for (std::size_t j = 0; j <= i; ++j) {
      products[i * count + j] = products[j * count + i] =
          dot_in_lanes(centred.data() + i * width, centred.data() + j * width, width);
    }
  });
  const std::array<Eigenvector, 2> largest = two_largest(std::move(products), count);
  for (std::size_t i = 0; i < 2; ++i) {
    map.directions[i] = weighted_sum(centred, largest[i].direction, width);
    scale_to_one(map.directions[i]);
    map.shares[i] = largest[i].share;
  }
  return map;
}

}  // namespace

std::array<double, 2> PrincipalMap::place(std::span<const float> row) const {
  std::array<double, 2> at{};
  for (std::size_t i = 0; i < row.size(); ++i) {
    at[0] += (row[i] - mean[i]) * directions[0][i];
    at[1] += (row[i] - mean[i]) * directions[1][i];
  }
  return at;
}

PrincipalMap principal_map(std::span<const float> rows, std::size_t width, std::size_t threads) {
  const std::size_t count = rows.size() / width, step = (count + kMaxRows - 1) / kMaxRows;
  std::vector<float> used;
  for (std::size_t row = 0; row < count; row += step) {
    used.insert(used.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * width),
                rows.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  }
  PrincipalMap map;
  if (used.size() / width < width) {
    map = map_of_few(used, width, threads);
  } else {
    Moments moments = moments_of(used, width, threads);
    map.mean = std::move(moments.mean);
    std::array<Eigenvector, 2> largest = two_largest(std::move(moments.covariance), width);
    for (std::size_t i = 0; i < 2; ++i) {
      map.directions[i] = std::move(largest[i].direction);
      map.shares[i] = largest[i].share;
    }
  }
  for (std::vector<double>& direction : map.directions) {
    turn_up(direction);
  }
  return map;
}

}  // namespace molgauge::ops
