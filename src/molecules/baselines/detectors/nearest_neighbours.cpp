#include "molecules/baselines/detectors/nearest_neighbours.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/core/error.h"
#include "base/numerics/ops/neighbours/distances.h"
#include "base/numerics/ops/neighbours/neighbour_candidates.h"

namespace molgauge::baselines {
namespace {

at::Tensor mean_of(const at::Tensor& points) {
  if (points.dim() != 2 || points.size(0) == 0) {
    throw InputError("a search for neighbours needs at least one training molecule");
  }
  return points.mean(0);
}

std::span<const float> numbers_of(const at::Tensor& rows) {
  return {rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())};
}

/// Appends the k nearest of the candidates, by their distances computed from the coordinates.
void append_nearest(std::span<const std::int32_t> candidates, const float* query, const at::Tensor& points,
                    Neighbours& found) {
  const auto width = static_cast<std::size_t>(points.size(1));
  const float* const coordinates = points.data_ptr<float>();
  std::vector<std::pair<float, std::int32_t>> nearest;
  nearest.reserve(candidates.size());
  for (const std::int32_t point : candidates) {
    const float* const row = coordinates + static_cast<std::size_t>(point) * width;
    nearest.emplace_back(ops::squared_distance(width, query, row), point);
  }
  std::sort(nearest.begin(), nearest.end());
  for (std::size_t i = 0; i < found.k; ++i) {
    found.distances.push_back(std::sqrt(nearest[i].first));
    found.index.push_back(nearest[i].second);
  }
}

}  // namespace

NearestNeighbours::NearestNeighbours(const at::Tensor& points) : NearestNeighbours(points, mean_of(points)) {}

NearestNeighbours::NearestNeighbours(const at::Tensor& points, const at::Tensor& mean)
    : NearestNeighbours(Centred{mean, (points - mean).contiguous()}) {}

NearestNeighbours::NearestNeighbours(Centred centred)
    : mean_(std::move(centred.centre)),
      points_(std::move(centred.points)),
      panels_(numbers_of(points_), static_cast<std::size_t>(points_.size(0)),
              static_cast<std::size_t>(points_.size(1))) {}

Neighbours NearestNeighbours::find(const at::Tensor& queries, std::size_t k) const {
  if (k == 0 || k > static_cast<std::size_t>(size())) {
    throw InputError("cannot find the " + std::to_string(k) + " nearest of " + std::to_string(size()) +
                     " training molecules. Ask for fewer neighbours");
  }
  return find_centred((queries - mean_).contiguous(), k);
}

Neighbours NearestNeighbours::find_centred(const at::Tensor& rows, std::size_t k) const {
  std::vector<ops::NeighbourCandidates> candidates = panels_.near(numbers_of(rows), k);
  Neighbours found{k, {}, {}};
  found.distances.reserve(candidates.size() * k);
  found.index.reserve(candidates.size() * k);
  const float* query = rows.data_ptr<float>();
  for (auto& own : candidates) {
    append_nearest(own.remaining(), query, points_, found);
    query += rows.size(1);
  }
  return found;
}

Neighbours NearestNeighbours::find_among_points(std::size_t k, const RowBatches& batches) const {
  if (k == 0 || k >= static_cast<std::size_t>(size())) {
    throw InputError("cannot find " + std::to_string(k) + " neighbours of each of " + std::to_string(size()) +
                     " training molecules. Ask for fewer");
  }
  const std::size_t total = static_cast<std::size_t>(size()) * k;
  Neighbours all{k, std::vector<float>(total), std::vector<std::int32_t>(total)};
  for_each_batch(size(), batches, [&](std::int64_t first, std::int64_t count) {
    const Neighbours found = find_centred(points_.narrow(0, first, count), k + 1);
    for (std::int64_t i = 0; i < count; ++i) {
      // Excludes the point itself. If more than k points coincide with it, the search may not find the point
      // itself, and the last point that was found is excluded instead.
      const auto from = static_cast<std::size_t>(i) * (k + 1);
      auto to = static_cast<std::size_t>(first + i) * k;
      const std::size_t end = to + k;
      for (std::size_t j = from; j <= from + k && to < end; ++j) {
        if (found.index[j] != static_cast<std::int32_t>(first + i)) {
          all.distances[to] = found.distances[j];
          all.index[to++] = found.index[j];
        }
      }
    }
  });
  return all;
}

}  // namespace molgauge::baselines
