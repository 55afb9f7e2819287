#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace headroom::baselines {

/// The smallest k of many numbers that come a few at a time.
class NeighbourCandidates {
 public:
  explicit NeighbourCandidates(std::size_t k) : k_(k) {}

  /// Nothing at or above it is among the smallest k.
  float bound() const { return bound_; }

  /// values[j] belongs to the point first_point + j.
  void offer(std::int32_t first_point, std::span<const float> values);

  struct Candidate {
    float value;
    std::int32_t point;
  };
  /// The k smallest so far, in no order; fewer when fewer were offered.
  const std::vector<Candidate>& smallest();

 private:
  void keep_smallest();

  std::size_t k_;
  std::vector<Candidate> candidates_;
  float bound_ = std::numeric_limits<float>::infinity();
};

}  // namespace headroom::baselines
