#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "base/numerics/ops/neighbours/point_panels.h"
#include "molecules/baselines/detectors/row_batches.h"

namespace molgauge::baselines {

/// The k nearest points of each query, nearest first.
struct Neighbours {
  std::size_t k = 0;
  std::vector<float> distances;     ///< [queries, k], Euclidean
  std::vector<std::int32_t> index;  ///< [queries, k], indices of the points
};

/// Exact search that compares all points with all queries (point_panels.h). It computes squared distances
/// from norms and scalar products. Such a distance is a difference of large numbers, so rounding errors
/// matter. Coordinates are therefore relative to the mean of the points, which keeps the numbers small.
/// Finally, the distances of the k nearest points are recomputed from the coordinates.
///
/// Memory: the points twice, and a few numbers for each query. Const methods may be called from several
/// threads at once.
class NearestNeighbours {
 public:
  /// points [n, width], float32. Throws InputError if there are no points.
  explicit NearestNeighbours(const at::Tensor& points);
  /// The data of a search: centre [width], and points minus centre [n, width].
  struct Centred {
    at::Tensor centre, points;
  };
  /// Restores a search from the data that centred() has returned. The restored search gives bit-identical
  /// results.
  explicit NearestNeighbours(Centred centred);

  std::int64_t size() const { return points_.size(0); }
  Centred centred() const { return {mean_, points_}; }

  /// Neighbours of queries [m, width], on the calling thread. Throws InputError if k is 0 or above size().
  Neighbours find(const at::Tensor& queries, std::size_t k) const;
  /// Finds the neighbours of each point among the other points, in batches. k must be less than size().
  Neighbours find_among_points(std::size_t k, const RowBatches& batches) const;

 private:
  NearestNeighbours(const at::Tensor& points, const at::Tensor& mean);
  Neighbours find_centred(const at::Tensor& rows, std::size_t k) const;

  at::Tensor mean_, points_;  ///< mean of the points, and the points relative to the mean
  ops::PointPanels panels_;
};

}  // namespace molgauge::baselines
