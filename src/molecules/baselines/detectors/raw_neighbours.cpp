#include "molecules/baselines/detectors/raw_neighbours.h"

#include <cmath>

#include "base/numerics/ops/neighbours/distances.h"
#include "molecules/baselines/detectors/fitted_tensors.h"

namespace molgauge::baselines {
namespace {

/// Returns the rows, scaled to length 1. A row is computed on its own, so it does not depend on its batch.
at::Tensor unit_rows(const at::Tensor& features) {
  at::Tensor rows = features.contiguous().clone();
  const auto width = static_cast<std::size_t>(rows.size(1));
  float* row = rows.data_ptr<float>();
  for (std::int64_t i = 0; i < rows.size(0); ++i, row += width) {
    const float length = std::sqrt(ops::dot_product(width, row, row));
    for (std::size_t j = 0; length > 0 && j < width; ++j) {
      row[j] /= length;
    }
  }
  return rows;
}

}  // namespace

void RawNeighbourDistance::fit(const FitData& data) {
  require_neighbours(options_.neighbours, data.train.features.size(0));
  points_ = std::make_unique<NearestNeighbours>(unit_rows(data.train.features));
}

io::TensorMap RawNeighbourDistance::fitted() const {
  io::TensorMap tensors;
  add_search(*points_, tensors);
  return tensors;
}

void RawNeighbourDistance::restore(const io::TensorMap& tensors, std::int64_t width,
                                   const std::string& source) {
  points_ = std::make_unique<NearestNeighbours>(take_search(tensors, width, source));
  require_neighbours(options_.neighbours, *points_, source);
}

std::vector<float> RawNeighbourDistance::score_rows(const at::Tensor& features) const {
  return mean_distances(points_->find(unit_rows(features), options_.neighbours));
}

}  // namespace molgauge::baselines
