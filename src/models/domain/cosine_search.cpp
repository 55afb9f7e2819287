#include "models/domain/cosine_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "numerics/ops/neighbours/squared_distance.h"

namespace headroom::domain {

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
    : width_(width), rows_(unit_rows(points, width)) {}

void CosineSearch::for_all_distances(std::span<const float> unit_queries, const Visit& visit) const {
  // The number of rows that stay in the cache while they are compared with all queries.
  constexpr std::size_t kRowsAtOnce = 64;
  std::array<float, kRowsAtOnce> found{};
  for (std::size_t first = 0; first < size(); first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, size() - first);
    for (std::size_t query = 0; query * width_ < unit_queries.size(); ++query) {
      const float* const own = &unit_queries[query * width_];
      const float* const rows = &rows_[first * width_];
      std::size_t i = 0;
      for (; i + 4 <= count; i += 4) {
        ops::squared_distances_to_four(width_, own, rows + i * width_, &found[i]);
      }
      for (; i < count; ++i) {
        found[i] = ops::squared_distance(width_, own, rows + i * width_);
      }
      for (float& squared : found) {
        squared /= 2;
      }
      visit(query, first, std::span(found).first(count));
    }
  }
}

}  // namespace headroom::domain
