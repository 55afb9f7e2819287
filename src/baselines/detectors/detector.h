#pragma once

#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "baselines/classifier/classifier_trainer.h"
#include "baselines/detectors/row_batches.h"
#include "io/tensors/tensor_data.h"

namespace headroom::baselines {

/// What a detector may look at before it scores. A detector that needs no fitting looks at nothing.
struct FitData {
  LabelledFeatures train;
  at::Tensor calibration;  ///< features of in-distribution molecules that were not trained on
  RowBatches batches;
};

/// Tells how far out of distribution a molecule is; a larger score means further out.
class Detector {
 public:
  virtual ~Detector() = default;

  /// Throws InputError when the data do not suffice.
  virtual void fit(const FitData& data);

  /// What fit() has learned, for a file; empty for a detector that learns nothing.
  virtual io::TensorMap fitted() const;
  /// Takes in what fitted() gave, in place of fit(): scores are the same bytes. `width`: of the classifier's
  /// hidden features. Throws InputError naming `source` when a tensor is missing or does not fit.
  virtual void restore(const io::TensorMap& tensors, std::int64_t width, const std::string& source);

  /// One score a row of features [n, width] (float32, CPU); NaN for a row that is not finite (a failed
  /// molecule). The score of a row is the same bytes in batches of any size, beside any other rows.
  std::vector<float> score(const at::Tensor& features, const RowBatches& batches = {}) const;

 private:
  /// Of finite, contiguous rows; called on several threads at once. [n]
  virtual std::vector<float> score_rows(const at::Tensor& features) const = 0;
};

}  // namespace headroom::baselines
