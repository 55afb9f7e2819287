#pragma once

#include "molecules/baselines/detectors/detector.h"
#include "molecules/baselines/detectors/readout.h"

namespace molgauge::baselines {

/// Distance of the hidden features to the class means under one covariance (Lee et al. 2018,
/// arXiv:1807.03888). The residuals of all classes are pooled. Their Ledoit-Wolf covariance is inverted, and
/// 1e-6 is added to the diagonal of the inverse. With classes, the score is the smallest squared distance.
/// With tasks or continuous labels, it is the distance, not squared, to the mean of all molecules. Without a
/// classifier, it is this distance of the features themselves, which needs no labels.
class Mahalanobis : public Detector {
 public:
  explicit Mahalanobis(TrainedClassifier model) : model_(std::move(model)) {}
  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

  /// Fits the detector to precomputed hidden features. `classes` [n]: the class of each row, int64. Ignores
  /// rows with a class of `class_count` or more. The mean of a class without rows is zero.
  void fit_hidden(const at::Tensor& hidden, const at::Tensor& classes, std::int64_t class_count);

  const at::Tensor& means() const { return means_; }          ///< [classes, hidden]
  const at::Tensor& precision() const { return precision_; }  ///< [hidden, hidden]

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  at::Tensor means_, precision_;
};

}  // namespace molgauge::baselines
