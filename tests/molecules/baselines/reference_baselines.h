#pragma once

#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/io/tensors/tensor_data.h"
#include "molecules/baselines/detectors/detector.h"
#include "molecules/baselines/detectors/readout.h"

namespace molgauge::test {

/// data/ood/baselines.npz: features, labels, one trained classifier, and the values computed from it.
class ReferenceBaselines {
 public:
  /// "two_class", "binary1" or "multitask5".
  explicit ReferenceBaselines(const std::string& variant);

  /// An array of the variant ("msp.id"), float32.
  std::vector<float> numbers(const std::string& name) const;
  at::Tensor tensor(const std::string& name) const;
  /// An array that all variants share.
  at::Tensor shared(const std::string& name) const;

  const baselines::TrainedClassifier& model() const { return model_; }
  baselines::FitData fit_data() const;
  at::Tensor test_features(const std::string& side) const;  ///< "id", "ood"

 private:
  io::TensorMap arrays_;
  std::string variant_;
  baselines::TrainedClassifier model_;
};

}  // namespace molgauge::test
