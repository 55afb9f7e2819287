#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/numerics/ops/cpu/panels.h"
#include "base/numerics/ops/neighbours/neighbour_candidates.h"

namespace molgauge::ops {

/// Points in the layout of the neighbour search: integer codes (integer_codes.h) in panels of 16 points.
///
/// Integer products take half the time of float products. The distance between a row and its codes is known,
/// so the triangle inequality shows that some points cannot be among the k nearest. These points are
/// excluded. In 64 dimensions, the codes are so precise that only slightly more than k points remain. Const
/// methods may be called from several threads at once.
class PointPanels {
 public:
  /// points [count, width], row-major. Throws InputError if a number is not finite, a norm exceeds 1e18, or
  /// the largest norm is below 1e-17 but not zero. Squared distances of such points would not fit in a float.
  PointPanels(std::span<const float> points, std::size_t count, std::size_t width);

  /// For each query, returns a set of points that contains the k nearest, or all points if there are fewer.
  /// queries [m, width], row-major. Throws InputError if a number is not finite or a norm exceeds 1e18.
  std::vector<NeighbourCandidates> near(std::span<const float> queries, std::size_t k) const;

 private:
  struct CodedQueries;
  CodedQueries code(std::span<const float> queries, std::size_t k) const;
  void offer(std::size_t first_panel, std::size_t last_panel, cpu::QueryGroup group,
             std::span<NeighbourCandidates> candidates) const;

  std::size_t width_, pairs_, panels_, count_;
  double step_ = 1, norm_ = 0, error_ = 0;  ///< step of the codes, largest norm of a point, and largest error
                                            ///< of codes
  std::vector<std::int16_t> codes_;         ///< [panels, pairs, 16, 2]
  /// [panels, 16], squared norms of the codes times step_^2. In the last panel, the norm is infinite at
  /// positions without a point.
  std::vector<float> norms_;
};

}  // namespace molgauge::ops
