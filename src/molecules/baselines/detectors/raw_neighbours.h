#pragma once

#include <memory>

#include "molecules/baselines/detectors/neighbour_detectors.h"

namespace molgauge::baselines {

/// Mean Euclidean distance of the features, scaled to length 1, to the k nearest training molecules (after
/// Sun et al. 2022, arXiv:2204.06507). With one neighbour, the order is the order of the cosine similarity.
/// Needs no classifier and no labels. Features that are all 0 stay 0. fit() throws InputError if k exceeds
/// the training set.
class RawNeighbourDistance : public Detector {
 public:
  explicit RawNeighbourDistance(const NeighbourOptions& options) : options_(options) {}
  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  NeighbourOptions options_;
  std::unique_ptr<NearestNeighbours> points_;
};

}  // namespace molgauge::baselines
