#pragma once

#include "baselines/detector.h"
#include "baselines/readout.h"

namespace headroom::baselines {

/// Maximum softmax probability (Hendrycks and Gimpel 2017, arXiv:1610.02136): 1 - confidence.
class MaximumProbability : public Detector {
 public:
  explicit MaximumProbability(TrainedClassifier model) : model_(std::move(model)) {}

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
};

/// Free energy of the logits (Liu et al. 2020, arXiv:2010.03759).
class FreeEnergy : public Detector {
 public:
  explicit FreeEnergy(TrainedClassifier model) : model_(std::move(model)) {}

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
};

/// Conformal p-value of the confidence: with n calibration confidences, p = (1 + #{c_k <= c(x)}) / (1 + n);
/// the score is 1 - p. A p-value is valid when the calibration molecules neither trained nor chose the model.
class Conformal : public Detector {
 public:
  explicit Conformal(TrainedClassifier model) : model_(std::move(model)) {}
  void fit(const FitData& data) override;
  io::TensorMap fitted() const override;
  void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source) override;

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  std::vector<float> calibration_;  ///< ascending
};

}  // namespace headroom::baselines
