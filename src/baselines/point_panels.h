#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "baselines/neighbour_candidates.h"

namespace headroom::baselines {

/// Points as a search reads them: sixteen side by side, coordinate by coordinate, with their squared norms.
///
/// Products with a few queries are formed sixteen at a time in registers and compared with each query's bound
/// there; only what lies below it is written anywhere. Const methods may be called from several threads at
/// once.
class PointPanels {
 public:
  /// points [count, width], row-major.
  PointPanels(std::span<const float> points, std::size_t count, std::size_t width);

  /// Offers every point x to every query q with the value |x|^2 - 2 q x, the squared distance less |q|^2.
  /// queries [candidates.size(), width], row-major; candidates[i] belongs to query i.
  void offer_all(std::span<const float> queries, std::span<NeighbourCandidates> candidates) const;

 private:
  std::size_t width_, panels_;
  std::vector<float> coordinates_;    ///< [panels, width, 16]
  std::vector<float> squared_norms_;  ///< [panels, 16]; infinite where the last panel has no point
};

}  // namespace headroom::baselines
