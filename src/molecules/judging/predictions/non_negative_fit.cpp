#include "molecules/judging/predictions/non_negative_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace molgauge::domain {
namespace {

constexpr double kLeastPivot = 1e-10, kLeastSlope = 1e-10;
constexpr std::size_t kMinToWinsorise = 20;
constexpr double kHighQuantile = 0.95, kReach = 3;

/// The equations of a problem whose columns have the length 1.
struct Equations {
  std::size_t columns;
  std::vector<double> products, right;
};

/// Solves the equations of the columns in `active` by elimination. No pivoting is needed, because the matrix
/// is positive semidefinite. Returns false if the columns are linearly dependent.
bool solve_active(const Equations& all, const std::vector<bool>& active, std::vector<double>& solution) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < all.columns; ++i) {
    if (active[i]) {
      columns.push_back(i);
    }
  }
  const std::size_t count = columns.size(), width = count + 1;
  std::vector<double> rows(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      rows[i * width + j] = all.products[columns[i] * all.columns + columns[j]];
    }
    rows[i * width + count] = all.right[columns[i]];
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!(rows[i * width + i] > kLeastPivot)) {
      return false;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (k == i) {
        continue;
      }
      const double factor = rows[k * width + i] / rows[i * width + i];
      for (std::size_t j = 0; j < width; ++j) {
        rows[k * width + j] -= factor * rows[i * width + j];
      }
    }
  }
  solution.assign(all.columns, 0);
  for (std::size_t i = 0; i < count; ++i) {
    solution[columns[i]] = rows[i * width + count] / rows[i * width + i];
  }
  return true;
}

/// Moves `current` towards `wanted` until the first bounded coefficient is 0, and makes this column inactive.
/// Returns false if `wanted` is reached, because all its bounded coefficients are positive.
bool step_to_bound(const std::vector<double>& wanted, std::size_t free_columns, std::vector<double>& current,
                   std::vector<bool>& active) {
  double step = 1;
  std::size_t first = wanted.size();
  for (std::size_t i = free_columns; i < wanted.size(); ++i) {
    if (active[i] && wanted[i] <= 0) {
      const double own = current[i] > 0 ? current[i] / (current[i] - wanted[i]) : 0;
      if (own < step || first == wanted.size()) {
        step = own;
        first = i;
      }
    }
  }
  if (first == wanted.size()) {
    current = wanted;
    return false;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    current[i] += step * (wanted[i] - current[i]);
  }
  current[first] = 0;
  active[first] = false;
  return true;
}

/// The inactive column along which the objective falls most steeply, or the number of columns if it falls
/// along none of them.
std::size_t steepest(const Equations& all, const std::vector<double>& current,
                     const std::vector<bool>& is_closed) {
  double most = kLeastSlope;
  std::size_t found = all.columns;
  for (std::size_t i = 0; i < all.columns; ++i) {
    if (is_closed[i]) {
      continue;
    }
    double slope = all.right[i];
    for (std::size_t j = 0; j < all.columns; ++j) {
      slope -= all.products[i * all.columns + j] * current[j];
    }
    if (slope > most) {
      most = slope;
      found = i;
    }
  }
  return found;
}

/// Scales the columns to the length 1, and the right side to a maximum of 1. Columns without length are
/// closed.
Equations scaled(std::span<const double> products, std::span<const double> right,
                 std::vector<double>& lengths) {
  const std::size_t columns = right.size();
  Equations all{columns, std::vector<double>(columns * columns), std::vector<double>(columns)};
  for (std::size_t i = 0; i < columns; ++i) {
    lengths.push_back(std::sqrt(std::max(0.0, products[i * columns + i])));
  }
  for (std::size_t i = 0; i < columns; ++i) {
    all.right[i] = lengths[i] > 0 ? right[i] / lengths[i] : 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double scale = lengths[i] * lengths[j];
      all.products[i * columns + j] = scale > 0 ? products[i * columns + j] / scale : 0;
    }
  }
  return all;
}

double quantile_of_sorted(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

std::vector<double> non_negative_least_squares(std::span<const double> products,
                                               std::span<const double> right, std::size_t free_columns) {
  std::vector<double> lengths;
  Equations all = scaled(products, right, lengths);
  const std::size_t columns = all.columns;
  double largest = 0;
  for (const double value : all.right) {
    largest = std::max(largest, std::abs(value));
  }
  std::vector<double> current(columns), wanted;
  if (!(largest > 0)) {
    return current;
  }
  for (double& value : all.right) {
    value /= largest;
  }
  std::vector<bool> active(columns), is_closed(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    active[i] = i < free_columns && lengths[i] > 0;
    is_closed[i] = i < free_columns || lengths[i] == 0;
  }
  if (free_columns > 0 && !solve_active(all, active, current)) {
    return std::vector<double>(columns);
  }
  // Each round adds one column. The number of rounds is bounded, because rounding errors could otherwise add
  // and remove the same column for ever.
  for (std::size_t round = 0; round < 3 * columns; ++round) {
    const std::size_t added = steepest(all, current, is_closed);
    if (added == columns) {
      break;
    }
    active[added] = true;
    if (!solve_active(all, active, wanted)) {
      active[added] = false;
      is_closed[added] = true;
      continue;
    }
    while (step_to_bound(wanted, free_columns, current, active) && solve_active(all, active, wanted)) {
    }
    for (std::size_t i = free_columns; i < columns; ++i) {
      is_closed[i] = active[i] || lengths[i] == 0;
    }
  }
  for (std::size_t i = 0; i < columns; ++i) {
    current[i] = lengths[i] > 0 ? current[i] * largest / lengths[i] : 0;
  }
  return current;
}

double winsor_limit(std::span<const double> numbers) {
  if (numbers.size() < kMinToWinsorise) {
    return std::numeric_limits<double>::infinity();
  }
  std::vector<double> sorted(numbers.begin(), numbers.end());
  std::sort(sorted.begin(), sorted.end());
  const double middle = quantile_of_sorted(sorted, 0.5), high = quantile_of_sorted(sorted, kHighQuantile);
  return high > middle ? middle + kReach * (high - middle) : std::numeric_limits<double>::infinity();
}

double winsorised_mean(std::span<const double> numbers) {
  const double limit = winsor_limit(numbers);
  double sum = 0;
  for (const double number : numbers) {
    sum += std::min(number, limit);
  }
  return sum / static_cast<double>(numbers.size());
}

}  // namespace molgauge::domain
