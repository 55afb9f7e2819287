#pragma once

#include "baselines/detector.h"
#include "baselines/readout.h"

namespace headroom::baselines {

struct OdinOptions {
  double temperature = 10, noise = 0.0014;
};

/// ODIN (Liang, Li and Srikant 2018, arXiv:1706.02690): the features are moved by `noise` against the sign of
/// the gradient of the cross-entropy between softmax(z / T) over the outputs and their own largest, then
/// 1 - confidence of the logits over T. With a single output the gradient is zero and nothing moves.
class Odin : public Detector {
 public:
  Odin(TrainedClassifier model, const OdinOptions& options) : model_(std::move(model)), options_(options) {}

 private:
  std::vector<float> score_rows(const at::Tensor& features) const override;
  TrainedClassifier model_;
  OdinOptions options_;
};

}  // namespace headroom::baselines
