#pragma once

#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/io/tensors/tensor_data.h"
#include "molecules/baselines/classifier/classifier_trainer.h"
#include "molecules/baselines/detectors/row_batches.h"

namespace molgauge::baselines {

/// The data that a detector is fitted to. Some detectors need none.
struct FitData {
  /// Features and labels of the training molecules. Detectors without a classifier ignore the labels, except
  /// LogisticRegression.
  LabelledFeatures train;
  at::Tensor calibration;  ///< features of in-distribution molecules outside of the training set
  RowBatches batches;
  LabelledFeatures selection = {};  ///< molecules that choose the penalty of LogisticRegression
};

/// Scores how far out of distribution a molecule is. A larger score means further out.
class Detector {
 public:
  virtual ~Detector() = default;

  /// Throws InputError if the data do not suffice.
  virtual void fit(const FitData& data);

  /// Returns the fitted state as tensors for a file. If the detector has no state, the result is empty.
  virtual io::TensorMap fitted() const;
  /// Restores the state of fitted(), in place of fit(). Scores are bit-identical. `width`: width of the
  /// hidden features. Throws InputError with `source` if a tensor is missing or has another shape.
  virtual void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source);

  /// Returns one score for each row of features [n, width] (float32, CPU). The score of a row that is not
  /// finite (a failed molecule) is NaN. The score of a row is bit-identical for all batch sizes and does not
  /// depend on other rows.
  std::vector<float> score(const at::Tensor& features, const RowBatches& batches = {}) const;

 private:
  /// Scores [n] of finite, contiguous rows. Called on several threads at once.
  virtual std::vector<float> score_rows(const at::Tensor& features) const = 0;
};

}  // namespace molgauge::baselines
