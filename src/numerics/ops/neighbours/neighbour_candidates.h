#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "numerics/ops/cpu/panels.h"

namespace headroom::ops {

/// Bounds for a query q. They turn the values |x'|^2 - 2 q' x' of approximate rows q' and x' into distances
/// |x - q|.
struct DistanceKnowledge {
  double squared_norm = 0;  ///< |q'|^2
  double error = 0;         ///< at most ||x' - q'| - |x - q||, for every point x
  double rounding = 0;      ///< largest rounding error of a value

  /// A point with this value or a larger value is farther away than every point with at most `value`.
  float certainly_farther(float value) const;
};

/// Collects the points that may be among the k nearest of a query, from approximate distances panel by panel.
class NeighbourCandidates {
 public:
  NeighbourCandidates(std::size_t k, const DistanceKnowledge& knowledge);

  /// Points with this value or a larger value are not among the k nearest.
  float bound() const { return bound_; }

  /// Adds the points first_point + p for the bits p of `below`, whose values [cpu::kPanelPoints] are below
  /// bound().
  void offer(std::int32_t first_point, unsigned below, const float* values);

  /// The number of points that have not been excluded so far.
  std::size_t count() const { return count_; }

  /// The k nearest points and few others, in no order.
  std::span<const std::int32_t> remaining();

 private:
  void make_room();
  void drop_farther();

  std::size_t k_, count_ = 0, enough_ = 0;  ///< enough_: the count at which farther points are removed
  DistanceKnowledge knowledge_;
  std::vector<float> values_;         ///< [enough_ + a panel]
  std::vector<std::int32_t> points_;  ///< [enough_ + a panel]
  float bound_ = std::numeric_limits<float>::infinity();
};

}  // namespace headroom::ops
