#include "molecules/judging/cosine_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/core/error.h"
#include "base/numerics/ops/linear_algebra/small_products.h"
#include "base/numerics/ops/neighbours/distances.h"

namespace molgauge::domain {

namespace {

float half_square(std::span<const float> row) {
  return ops::dot_product(row.size(), row.data(), row.data()) / 2;
}

}  // namespace

std::vector<float> unit_rows(std::span<const float> rows, std::size_t width) {
  std::vector<float> unit(rows.begin(), rows.end());
  for (std::size_t first = 0; first < unit.size(); first += width) {
    double squares = 0;
    for (std::size_t i = first; i < first + width; ++i) {
      squares += static_cast<double>(unit[i]) * unit[i];
    }
    if (!std::isfinite(squares)) {
      throw InputError("a feature is not finite, so distances cannot be computed");
    }
    const double length = std::sqrt(squares);
    for (std::size_t i = first; i < first + width && length > 0; ++i) {
      unit[i] = static_cast<float>(unit[i] / length);
    }
  }
  return unit;
}

CosineSearch::CosineSearch(std::span<const float> points, std::size_t width)
    : width_(width), rows_(unit_rows(points, width)) {
  // A sum of n products of unit rows has an error of at most (n + 1) u, where u is half of epsilon, and the
  // squared differences of rows at most 2 apart have twice that error. The other operations add less than 8
  // u.
  error_ = static_cast<float>(3 * (width + 8)) * std::numeric_limits<float>::epsilon() / 2;
  for (std::size_t row = 0; row < rows_.size() / width; ++row) {
    negative_halves_.push_back(-half_square(std::span(rows_).subspan(row * width, width)));
  }
}

float CosineSearch::distance(std::span<const float> unit_query, std::size_t row) const {
  return ops::squared_distance(width_, unit_query.data(), &rows_[row * width_]) / 2;
}

void CosineSearch::for_all_distances(std::span<const float> unit_queries, const Visit& visit) const {
  // The number of rows that stay in the cache while they are compared with all queries.
  constexpr std::size_t kRowsAtOnce = 64;
  const std::size_t queries = unit_queries.size() / width_;
  std::vector<float> halves, distances(queries * kRowsAtOnce);
  for (std::size_t query = 0; query < queries; ++query) {
    halves.push_back(half_square(unit_queries.subspan(query * width_, width_)));
  }
  for (std::size_t first = 0; first < size(); first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, size() - first);
    ops::apply_linear({.rows = queries, .inputs = width_, .outputs = count}, unit_queries.data(),
                      &rows_[first * width_], &negative_halves_[first], distances.data());
    for (std::size_t query = 0; query < queries; ++query) {
      const auto own = std::span(distances).subspan(query * count, count);
      for (float& value : own) {
        value = std::max(0.0F, halves[query] - value);
      }
      visit(query, first, own);
    }
  }
}

}  // namespace molgauge::domain
