#pragma once

#include <memory>
#include <vector>

#include "baselines/detectors/detector.h"
#include "baselines/detectors/nearest_neighbours.h"
#include "baselines/detectors/readout.h"

namespace headroom::baselines {

/// Mean 0 and population deviation 1 on the rows it was made from; a deviation below 1e-6 counts as 1.
struct Standardization {
  at::Tensor mean, deviation;  ///< [width] float32

  static Standardization of(const at::Tensor& rows);
  at::Tensor apply(const at::Tensor& rows) const;
};

/// Its tensors under the names "mean" and "deviation".
void add_fitted(const Standardization& standardization, io::TensorMap& tensors);
Standardization take_standardization(const io::TensorMap& tensors, std::int64_t width,
                                     const std::string& source);

struct NeighbourOptions {
  std::size_t neighbours = 50;
};

/// Mean Euclidean distance of the standardised hidden features to those of the k nearest training molecules
/// (after Sun et al. 2022, arXiv:2204.06507). fit() throws InputError when k is larger than the training set.
class NeighbourDistance : public Detector {
 public:
  NeighbourDistance(TrainedClassifier model, const NeighbourOptions& options)
      : model_(std::move(model)), options_(options) {}
  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

  const Standardization& standardization() const { return standardization_; }

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  NeighbourOptions options_;
  Standardization standardization_;
  std::unique_ptr<NearestNeighbours> points_;
};

/// Local outlier factor (Breunig et al. 2000) of new points: how much sparser the training molecules lie
/// around a point than around its neighbours among them; about 1 for inliers. With k neighbours (at most n -
/// 1), the reach distance r(x, o) = max(|x - o|, distance of o to its k-th neighbour) and the density d(x) =
/// 1 / (mean over the neighbours of r(x, o) + 1e-10), the factor is mean(d(o)) / d(x).
///
/// Where more than k training molecules coincide, or nearly so, their mean reach distance is 0 or rounding
/// error, and the published rule gives factors of 1e7 and more to whatever lies near them. A mean reach
/// distance therefore counts as a hundredth of the average molecule's distance to its k-th neighbour where it
/// is smaller; where every training molecule coincides with its k neighbours it counts as 1 then. No factor
/// changes where training molecules lie farther apart than that.
class LocalOutlierFactor {
 public:
  LocalOutlierFactor(const at::Tensor& points, const NeighbourOptions& options, const RowBatches& batches);
  /// Of search(), reach() and densities() of another, which gives the same factors, to the byte. Throws
  /// InputError when there are fewer than two points.
  LocalOutlierFactor(NearestNeighbours search, const NeighbourOptions& options, std::vector<float> reach,
                     std::vector<float> densities);

  const NearestNeighbours& search() const { return search_; }
  const std::vector<float>& reach() const { return reach_; }
  const std::vector<float>& densities() const { return densities_; }

  /// Of points [m, width] that are not among those it was made from, on the calling thread.
  std::vector<float> factors(const at::Tensor& points) const;

 private:
  float density(const Neighbours& found, std::size_t row) const;

  std::size_t neighbours_;
  NearestNeighbours search_;
  std::vector<float> reach_, densities_;  ///< of each point: distance of its k-th neighbour; density
  double smallest_mean_reach_;            ///< what a smaller one counts as
};

/// LocalOutlierFactor on standardised hidden features.
class OutlierFactor : public Detector {
 public:
  OutlierFactor(TrainedClassifier model, const NeighbourOptions& options)
      : model_(std::move(model)), options_(options) {}
  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  NeighbourOptions options_;
  Standardization standardization_;
  std::unique_ptr<LocalOutlierFactor> factor_;
};

}  // namespace headroom::baselines
