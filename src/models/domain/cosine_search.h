#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "models/domain/environment_index.h"
#include "numerics/ops/neighbours/point_panels.h"

namespace headroom::domain {

/// Returns rows scaled to length 1. A row of zeros is unchanged. rows [n, width], row-major.
std::vector<float> unit_rows(std::span<const float> rows, std::size_t width);

/// Exact search for the nearest rows by cosine distance: half the squared Euclidean distance of rows scaled
/// to length 1. This equals 1 - cosine unless a row is zero. numerics/ops/neighbours/point_panels.h
/// implements the search.
///
/// Memory: one and a half times the rows. Thread safety: const methods may be called from several threads at
/// once.
class CosineSearch {
 public:
  /// Searches the rows of `points` [n, width] whose indices are in `members`. Throws InputError if a number
  /// is not finite.
  CosineSearch(std::span<const float> points, std::size_t width, const std::vector<std::uint32_t>& members);

  std::size_t size() const { return members_.size(); }

  /// Returns the k nearest rows of each query, nearest first. Ties are sorted by index. Returns all rows if
  /// there are fewer than k. queries [m, width]. Indices refer to `points`. Runs on the calling thread.
  /// Throws InputError if a number is not finite.
  std::vector<std::vector<Neighbour>> nearest(std::span<const float> queries, std::size_t k) const;

  /// Calls visit(query, distances) with the distances 1 - cosine between a query and several members. For
  /// each query, the members come in order. queries [m, width] must have length 1.
  using Visit = std::function<void(std::size_t query, std::span<const float> distances)>;
  void for_all_distances(std::span<const float> unit_queries, const Visit& visit) const;

 private:
  std::size_t width_;
  std::vector<std::uint32_t> members_;
  std::vector<float> rows_;  ///< [members, width], of length 1
  ops::PointPanels panels_;
};

}  // namespace headroom::domain
