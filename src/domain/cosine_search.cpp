#include "domain/cosine_search.h"

#include <algorithm>
#include <cmath>

#include "ops/neighbours/squared_distance.h"

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

void CosineSearch::distances(std::span<const float> unit_query, std::span<float> to) const {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    to[i] = ops::squared_distance(width_, unit_query.data(), &rows_[i * width_]) / 2;
  }
}

}  // namespace headroom::domain
