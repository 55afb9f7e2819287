#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace headroom::baselines {

/// The smallest k of many numbers that come tile by tile.
class NeighbourCandidates {
 public:
  explicit NeighbourCandidates(std::size_t k) : k_(k) {}

  /// The numbers product[j] + norm[j] of the points first_point + j, j < count.
  void offer(std::int32_t first_point, std::size_t count, const float* product, const float* norm);

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
  float bound_ = std::numeric_limits<float>::infinity();  ///< nothing at or above it is among the smallest k
};

}  // namespace headroom::baselines
