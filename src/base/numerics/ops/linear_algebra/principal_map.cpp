#include "base/numerics/ops/linear_algebra/principal_map.h"

#include <algorithm>
#include <cmath>

#include "base/numerics/ops/linear_algebra/lower_triangles.h"
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

/// The product of a matrix, whose columns are the rows of `columns`, and a vector.
std::vector<double> product(const std::vector<double>& columns, std::span<const double> vector) {
  std::vector<double> result(vector.size());
  add_multiples(result, vector, columns.data(), vector.size());
  return result;
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
std::vector<double> largest_direction(const std::vector<double>& columns, std::size_t width) {
  std::vector<double> direction(width);
  for (std::size_t i = 0; i < width; ++i) {
    // A start vector, which is almost certainly not orthogonal to the eigenvector.
    direction[i] = 1 + static_cast<double>(i % 7);
  }
  for (int i = 0; i < kIterations; ++i) {
    std::vector<double> next = product(columns, direction);
    scale_to_one(next);
    if (next == direction) {
      break;  // further products would change nothing
    }
    direction = std::move(next);
  }
  turn_up(direction);
  return direction;
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
  Moments moments = moments_of(used, width, threads);
  double trace = 0;
  for (std::size_t i = 0; i < width; ++i) {
    trace += moments.covariance[i * width + i];
  }
  PrincipalMap map;
  map.mean = moments.mean;
  for (std::size_t i = 0; i < 2; ++i) {
    map.directions[i] = largest_direction(moments.covariance, width);
    const std::vector<double>& direction = map.directions[i];
    const double variance = dot(direction, product(moments.covariance, direction));
    map.shares[i] = trace > 0 ? variance / trace : 0;
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t k = 0; k < width; ++k) {
        moments.covariance[j * width + k] -= variance * direction[k] * direction[j];
      }
    }
  }
  return map;
}

}  // namespace molgauge::ops
