#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/numerics/ops/cpu/panels.h"

namespace molgauge::ops {

/// Error bounds for a query q. Let the rows q' and x' approximate q and a point x. With the error bounds, the
/// value |x'|^2 - 2 q' x' gives bounds for the distance |x - q|.
struct DistanceKnowledge {
  double squared_norm = 0;  ///< |q'|^2
  double error = 0;         ///< upper bound of ||x' - q'| - |x - q|| for every point x
  double rounding = 0;      ///< largest rounding error of a value

  /// Returns a limit. A point whose value is at least the limit is certainly farther away than every point
  /// whose value is at most `value`.
  float certainly_farther(float value) const;
};

/// Collects the points that may be among the k nearest of a query. Gets approximate distances, one panel of
/// points at a time.
class NeighbourCandidates {
 public:
  NeighbourCandidates(std::size_t k, const DistanceKnowledge& knowledge);

  /// Points with this value or a larger value are not among the k nearest.
  float bound() const { return bound_; }

  /// Adds the points first_point + p for which bit p of `below` is set. Their values are below bound().
  /// `values` is [cpu::kPanelPoints].
  void offer(std::int32_t first_point, unsigned below, const float* values);

  /// The number of points that are not excluded yet.
  std::size_t count() const { return count_; }

  /// The k nearest points and a few other points, in no particular order.
  std::span<const std::int32_t> remaining();

 private:
  void make_room();
  void drop_farther();

  std::size_t k_, count_ = 0, enough_ = 0;  ///< enough_: the count at which far points are removed
  DistanceKnowledge knowledge_;
  std::vector<float> values_;         ///< [enough_ + cpu::kPanelPoints] or more
  std::vector<std::int32_t> points_;  ///< [enough_ + cpu::kPanelPoints] or more
  float bound_ = std::numeric_limits<float>::infinity();
};

}  // namespace molgauge::ops
