#include "models/domain/predictions/difficulty.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::domain {
namespace {

constexpr std::size_t kColumns = Difficulty::kMaxTerms + 1, kRounds = 5;
constexpr double kLeastShare = 0.1;

using Vector = std::array<double, kColumns>;
using Matrix = std::array<Vector, kColumns>;

/// Solves the equations of the columns in `active` (bits). Returns false if they are singular.
bool solve(const Matrix& products, const Vector& right, unsigned active, Vector& solution) {
  std::array<std::size_t, kColumns> columns{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < kColumns; ++i) {
    if ((active >> i & 1U) != 0) {
      columns[count++] = i;
    }
  }
  std::array<std::array<double, kColumns + 1>, kColumns> rows{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      rows[i][j] = products[columns[i]][columns[j]];
    }
    rows[i][kColumns] = right[columns[i]];
  }
  for (std::size_t i = 0; i < count; ++i) {  // no pivoting, because the matrix is positive semidefinite
    if (!(rows[i][i] > 1e-12 * products[columns[i]][columns[i]])) {
      return false;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (k != i) {
        const double factor = rows[k][i] / rows[i][i];
        for (std::size_t j = 0; j <= kColumns; ++j) {
          rows[k][j] -= factor * rows[i][j];
        }
      }
    }
  }
  solution = {};
  for (std::size_t i = 0; i < count; ++i) {
    solution[columns[i]] = rows[i][kColumns] / rows[i][i];
  }
  return true;
}

/// Returns the least-squares solution without negative coefficients. Tries all sets of columns, because there
/// are at most three columns.
Vector solve_not_negative(const Matrix& products, const Vector& right, std::size_t columns) {
  Vector best{};
  double most = 0;
  for (unsigned active = 1; active < 1U << columns; ++active) {
    Vector solution{};
    if (!solve(products, right, active, solution) ||
        std::any_of(solution.begin(), solution.end(), [](double number) { return number < 0; })) {
      continue;
    }
    double gain = 0;  // the decrease of the squared error, times 2
    for (std::size_t i = 0; i < columns; ++i) {
      gain += solution[i] * right[i];
    }
    if (gain > most) {
      most = gain;
      best = solution;
    }
  }
  return best;
}

}  // namespace

double Difficulty::of(std::span<const double> terms) const {
  double sum = constant;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    sum += gradients[i] * terms[i];
  }
  return std::max(sum, least);
}

Difficulty fit_difficulty(const DifficultyTerms& terms, std::span<const double> errors,
                          const std::vector<bool>& uses) {
  const std::size_t columns = terms.count() + 1;
  const auto is_used = [&](std::size_t i) { return uses.empty() || uses[i]; };
  double sum = 0, count = 0;
  Vector scale{};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (is_used(i)) {
      sum += errors[i];
      ++count;
      for (std::size_t j = 0; j < terms.count(); ++j) {
        scale[j + 1] = std::max(scale[j + 1], std::abs(terms.of(i)[j]));
      }
    }
  }
  if (terms.count() == 0 || !(sum > 0)) {
    return {.constant = 1};
  }
  scale[0] = 1;
  const double mean = sum / count;
  Difficulty fitted{.constant = mean, .least = kLeastShare * mean};
  for (std::size_t round = 0; round < kRounds; ++round) {
    Matrix products{};
    Vector right{};
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (!is_used(i)) {
        continue;
      }
      Vector row{1};
      for (std::size_t j = 1; j < columns; ++j) {
        row[j] = scale[j] > 0 ? terms.of(i)[j - 1] / scale[j] : 0;
      }
      const double weight = round == 0 ? 1 : 1 / std::pow(fitted.of(terms.of(i)), 2);
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < columns; ++k) {
          products[j][k] += weight * row[j] * row[k];
        }
        right[j] += weight * row[j] * errors[i];
      }
    }
    const Vector solution = solve_not_negative(products, right, columns);
    fitted.constant = solution[0];
    for (std::size_t j = 1; j < columns; ++j) {
      fitted.gradients[j - 1] = scale[j] > 0 ? solution[j] / scale[j] : 0;
    }
  }
  return fitted;
}

std::vector<double> cross_fitted_difficulties(const DifficultyTerms& terms, std::span<const double> errors,
                                              const std::vector<std::size_t>& fold_of, std::size_t folds) {
  std::vector<double> difficulties(errors.size());
  std::vector<bool> uses(errors.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    for (std::size_t i = 0; i < errors.size(); ++i) {
      uses[i] = fold_of[i] != fold;
    }
    const Difficulty fitted = fit_difficulty(terms, errors, uses);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (!uses[i]) {
        difficulties[i] = fitted.of(terms.of(i));
      }
    }
  }
  return difficulties;
}

}  // namespace headroom::domain
