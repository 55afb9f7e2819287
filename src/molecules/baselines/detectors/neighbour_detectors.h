#pragma once

#include <memory>
#include <vector>

#include "molecules/baselines/detectors/detector.h"
#include "molecules/baselines/detectors/nearest_neighbours.h"
#include "molecules/baselines/detectors/readout.h"

namespace molgauge::baselines {

/// Scales features so that the rows of the fit have mean 0 and population deviation 1. A deviation below 1e-6
/// is replaced by 1.
struct Standardization {
  at::Tensor mean, deviation;  ///< [width] float32

  static Standardization of(const at::Tensor& rows);
  at::Tensor apply(const at::Tensor& rows) const;
};

/// Adds its tensors under the names "mean" and "deviation".
void add_fitted(const Standardization& standardization, io::TensorMap& tensors);
Standardization take_standardization(const io::TensorMap& tensors, std::int64_t width,
                                     const std::string& source);

struct NeighbourOptions {
  std::size_t neighbours = 50;
};

/// Throws InputError unless 1 <= neighbours <= molecules.
void require_neighbours(std::size_t neighbours, std::int64_t molecules);
/// Throws InputError with `source`, the file of a restored search, if the search has too few molecules.
void require_neighbours(std::size_t neighbours, const NearestNeighbours& points, const std::string& source);

/// The mean of the k distances of each query.
std::vector<float> mean_distances(const Neighbours& found);

/// Mean Euclidean distance of the standardised hidden features to the k nearest training molecules (after Sun
/// et al. 2022, arXiv:2204.06507). fit() throws InputError if k exceeds the training set.
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

/// Local outlier factor (Breunig et al. 2000) of new points: the density of training molecules around the
/// neighbours of a point, divided by the density around the point. About 1 for inliers. The number of
/// neighbours k is at most n - 1. The reach distance is r(x, o) = max(|x - o|, distance of o to its k-th
/// neighbour). The density is d(x) = 1 / (mean over the neighbours of r(x, o) + 1e-10). The factor is
/// mean(d(o)) / d(x).
///
/// If more than k training molecules have almost the same features, their mean reach distance is about 0. The
/// published rule then gives factors of 1e7 and more to every point near them. A mean reach distance
/// therefore has a lower limit: a hundredth of the mean distance of the training molecules to their k-th
/// neighbour. If every training molecule coincides with its k neighbours, the limit is 1. The limit does not
/// change the factors of points whose neighbours are farther apart.
class LocalOutlierFactor {
 public:
  LocalOutlierFactor(const at::Tensor& points, const NeighbourOptions& options, const RowBatches& batches);
  /// Restores an object from search(), reach() and densities() of another object. Both objects compute
  /// bit-identical factors. Throws InputError if there are fewer than two points.
  LocalOutlierFactor(NearestNeighbours search, const NeighbourOptions& options, std::vector<float> reach,
                     std::vector<float> densities);

  const NearestNeighbours& search() const { return search_; }
  const std::vector<float>& reach() const { return reach_; }
  const std::vector<float>& densities() const { return densities_; }

  /// Factors of points [m, width] outside of the training set, on the calling thread.
  std::vector<float> factors(const at::Tensor& points) const;

 private:
  float density(const Neighbours& found, std::size_t row) const;

  std::size_t neighbours_;
  NearestNeighbours search_;
  std::vector<float> reach_, densities_;  ///< for each point, the distance to its k-th neighbour, and the
                                          ///< density
  double smallest_mean_reach_;            ///< lower limit of a mean reach distance
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

}  // namespace molgauge::baselines
