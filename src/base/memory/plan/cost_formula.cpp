#include "base/memory/plan/cost_formula.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace molgauge::memory {
namespace {

constexpr unsigned kSubsets = 1U << kCostTerms;
constexpr unsigned kConstant = 1U;

/// Solves a square linear system by elimination with pivoting. Returns false if it is singular.
bool solve(std::vector<std::vector<double>>& rows) {
  const std::size_t n = rows.size();
  for (std::size_t column = 0; column < n; ++column) {
    const auto pivot = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(column), rows.end(),
        [&](const auto& a, const auto& b) { return std::abs(a[column]) < std::abs(b[column]); });
    std::swap(rows[column], *pivot);
    if (std::abs(rows[column][column]) < 1e-9) {
      return false;
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double factor = row == column ? 0.0 : rows[row][column] / rows[column][column];
      for (std::size_t i = column; factor != 0 && i <= n; ++i) {
        rows[row][i] -= factor * rows[column][i];
      }
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    rows[row][n] /= rows[row][row];
  }
  return true;
}

/// Fits the terms in `subset` by least squares of the relative errors, with the normal equations. Terms are
/// scaled by their largest value and rows by the measured size.
std::optional<CostFormula> fit(std::span<const Cost> costs, std::span<const std::uint64_t> sizes,
                               unsigned subset) {
  std::vector<std::size_t> terms;
  CostTerms scale = {};
  for (std::size_t term = 0; term < kCostTerms; ++term) {
    for (const Cost& cost : costs) {
      scale[term] = std::max(scale[term], terms_of(cost)[term]);
    }
    if ((subset >> term & 1U) != 0) {
      terms.push_back(term);
      if (scale[term] == 0) {
        return std::nullopt;
      }
    }
  }
  const double largest = std::max(1.0, static_cast<double>(*std::max_element(sizes.begin(), sizes.end())));
  std::vector<std::vector<double>> rows(terms.size(), std::vector<double>(terms.size() + 1));
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const CostTerms values = terms_of(costs[i]);
    const auto size = static_cast<double>(sizes[i]) / largest, weight = 1.0 / std::max(size * size, 1e-12);
    for (std::size_t r = 0; r < terms.size(); ++r) {
      const double value = values[terms[r]] / scale[terms[r]] * weight;
      for (std::size_t c = 0; c < terms.size(); ++c) {
        rows[r][c] += value * values[terms[c]] / scale[terms[c]];
      }
      rows[r].back() += value * size;
    }
  }
  if (!solve(rows)) {
    return std::nullopt;
  }
  CostFormula formula;
  for (std::size_t r = 0; r < terms.size(); ++r) {
    formula.bytes_per[terms[r]] = rows[r].back() * largest / scale[terms[r]];
  }
  return formula;
}

bool has_negative_slope(const CostFormula& formula) {
  return std::any_of(formula.bytes_per.begin() + 1, formula.bytes_per.end(), [](double v) { return v < 0; });
}

bool is_exact(const CostFormula& formula, std::span<const Cost> costs, std::span<const std::uint64_t> sizes) {
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const auto size = static_cast<double>(sizes[i]);
    if (std::abs(formula.at(costs[i]) - size) > 0.25 + 1e-7 * size) {
      return false;
    }
  }
  return true;
}

double squared_relative_error(const CostFormula& formula, std::span<const Cost> costs,
                              std::span<const std::uint64_t> sizes) {
  double error = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    error += std::pow(formula.at(costs[i]) / std::max<double>(1, static_cast<double>(sizes[i])) - 1, 2);
  }
  return error;
}

}  // namespace

double CostFormula::at(const Cost& cost) const {
  const CostTerms terms = terms_of(cost);
  double bytes = 0;
  for (std::size_t i = 0; i < kCostTerms; ++i) {
    bytes += bytes_per[i] * terms[i];
  }
  return bytes;
}

CostFormula& CostFormula::operator+=(const CostFormula& other) {
  for (std::size_t i = 0; i < kCostTerms; ++i) {
    bytes_per[i] += other.bytes_per[i];
  }
  return *this;
}

CostFormula& CostFormula::operator-=(const CostFormula& other) {
  for (std::size_t i = 0; i < kCostTerms; ++i) {
    bytes_per[i] -= other.bytes_per[i];
  }
  return *this;
}

bool CostFormula::dominates(const CostFormula& other) const {
  for (std::size_t i = 0; i < kCostTerms; ++i) {
    if (bytes_per[i] < other.bytes_per[i]) {
      return false;
    }
  }
  return true;
}

std::optional<CostFormula> explain_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes) {
  if (std::all_of(sizes.begin(), sizes.end(), [&](std::uint64_t size) { return size == sizes[0]; })) {
    CostFormula constant;
    constant.bytes_per[0] = static_cast<double>(sizes[0]);
    return constant;
  }
  const int most_terms = std::min<int>(3, static_cast<int>(sizes.size()) - 1);
  for (int terms = 1; terms <= most_terms; ++terms) {
    for (unsigned subset = kConstant + 1; subset < kSubsets; ++subset) {
      if (std::popcount(subset) != terms) {
        continue;
      }
      const auto formula = fit(costs, sizes, subset);
      if (formula && !has_negative_slope(*formula) && is_exact(*formula, costs, sizes)) {
        return formula;
      }
    }
  }
  return std::nullopt;
}

CostFormula cover_sizes(std::span<const Cost> costs, std::span<const std::uint64_t> sizes) {
  if (std::all_of(costs.begin(), costs.end(), [&](const Cost& cost) { return cost == costs[0]; })) {
    // All probes have the same cost, so they do not show how memory depends on the cost. Assumes that memory
    // is proportional to the number of items.
    CostFormula proportional;
    proportional.bytes_per[1] = static_cast<double>(*std::max_element(sizes.begin(), sizes.end())) /
                                static_cast<double>(std::max<std::uint64_t>(1, costs[0].items));
    return proportional;
  }
  // There are so few terms that every subset can be tried. The best fit without a negative coefficient wins.
  CostFormula best;
  best.bytes_per[0] = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
  double least = squared_relative_error(best, costs, sizes);
  for (unsigned subset = 1; subset < kSubsets; ++subset) {
    const auto formula = fit(costs, sizes, subset);
    if (!formula || has_negative_slope(*formula) || formula->bytes_per[0] < 0) {
      continue;
    }
    const double error = squared_relative_error(*formula, costs, sizes);
    if (error < least * (1 - 1e-9)) {
      least = error;
      best = *formula;
    }
  }
  double raise = 1;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    raise = std::max(raise, static_cast<double>(sizes[i]) / std::max(1.0, best.at(costs[i])));
  }
  for (double& bytes : best.bytes_per) {
    bytes *= raise;
  }
  return best;
}

}  // namespace molgauge::memory
