#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace molgauge::domain {

/// Returns rows scaled to length 1. A row of zeros is unchanged. rows [n, width], row-major. Throws
/// InputError if a number is not finite.
std::vector<float> unit_rows(std::span<const float> rows, std::size_t width);

/// Computes cosine distances to rows: half the squared Euclidean distance of rows scaled to length 1. This
/// equals 1 - cosine unless a row is zero.
///
/// Distances to all rows come from dot products, which take half the time of differences. Their absolute
/// error is at most error(). The distances of near rows need distance(), whose relative error is small.
///
/// Memory: as much as the rows. Thread safety: const methods may be called from several threads at once.
class CosineSearch {
 public:
  /// points [n, width]. Throws InputError if a number is not finite.
  CosineSearch(std::span<const float> points, std::size_t width);

  std::size_t size() const { return rows_.size() / width_; }
  /// The rows, scaled to length 1 [n, width].
  std::span<const float> rows() const { return rows_; }

  /// The distance between a row and a query of length 1.
  float distance(std::span<const float> unit_query, std::size_t row) const;

  /// An upper bound of the difference between distance() and a distance of for_all_distances().
  float error() const { return error_; }

  /// Calls visit(query, first row, distances) with the distances between a query and several consecutive
  /// rows. For each query, the rows come in order. queries [m, width] must have length 1 or be zero. Runs on
  /// the calling thread.
  using Visit = std::function<void(std::size_t query, std::size_t first, std::span<const float> distances)>;
  void for_all_distances(std::span<const float> unit_queries, const Visit& visit) const;

 private:
  std::size_t width_;
  float error_;
  std::vector<float> rows_;
  std::vector<float> negative_halves_;  ///< minus half the squared length of each row
};

}  // namespace molgauge::domain
