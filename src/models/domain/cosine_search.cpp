#include "models/domain/cosine_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/ops/neighbours/squared_distance.h"

namespace headroom::domain {
namespace {

std::vector<float> chosen_rows(std::span<const float> points, std::size_t width,
                               const std::vector<std::uint32_t>& members) {
  std::vector<float> rows;
  rows.reserve(members.size() * width);
  for (const std::uint32_t member : members) {
    const auto row = points.subspan(member * width, width);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return unit_rows(rows, width);
}

}  // namespace

std::vector<float> unit_rows(std::span<const float> rows, std::size_t width) {
  std::vector<float> unit(rows.begin(), rows.end());
  for (std::size_t first = 0; first < unit.size(); first += width) {
    double squares = 0;
    for (std::size_t i = first; i < first + width; ++i) {
      squares += static_cast<double>(unit[i]) * unit[i];
    }
    const double length = std::sqrt(squares);
    for (std::size_t i = first; i < first + width && length > 0; ++i) {
      unit[i] = static_cast<float>(unit[i] / length);
    }
  }
  return unit;
}

CosineSearch::CosineSearch(std::span<const float> points, std::size_t width,
                           const std::vector<std::uint32_t>& members)
    : width_(width),
      members_(members),
      rows_(chosen_rows(points, width, members)),
      panels_(rows_, members.size(), width) {}

std::vector<std::vector<Neighbour>> CosineSearch::nearest(std::span<const float> queries,
                                                          std::size_t k) const {
  const std::vector<float> unit = unit_rows(queries, width_);
  std::vector<ops::NeighbourCandidates> candidates = panels_.near(unit, std::min(k, size()));
  std::vector<std::vector<Neighbour>> found(candidates.size());
  for (std::size_t q = 0; q < candidates.size(); ++q) {
    for (const std::int32_t place : candidates[q].remaining()) {
      const auto point = static_cast<std::size_t>(place);
      const float squared = ops::squared_distance(width_, &unit[q * width_], &rows_[point * width_]);
      found[q].push_back({members_[point], squared / 2});
    }
    std::sort(found[q].begin(), found[q].end(), [](const Neighbour& one, const Neighbour& other) {
      return one.distance < other.distance ||
             (one.distance == other.distance && one.molecule < other.molecule);
    });
    found[q].resize(std::min(k, found[q].size()));
  }
  return found;
}

void CosineSearch::for_all_distances(std::span<const float> unit_queries, const Visit& visit) const {
  // The number of members that stay in the cache while they are compared with all queries.
  constexpr std::size_t kMembersAtOnce = 64;
  std::array<float, kMembersAtOnce> found{};
  for (std::size_t first = 0; first < size(); first += kMembersAtOnce) {
    const std::size_t count = std::min(kMembersAtOnce, size() - first);
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
      visit(query, std::span(found).first(count));
    }
  }
}

}  // namespace headroom::domain
