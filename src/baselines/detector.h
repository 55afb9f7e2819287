#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "baselines/classifier_trainer.h"
#include "baselines/row_batches.h"

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

  /// One score a row of features [n, width] (float32, CPU); NaN for a row that is not finite (a failed
  /// molecule). The score of a row is the same bytes in batches of any size, beside any other rows.
  std::vector<float> score(const at::Tensor& features, const RowBatches& batches = {}) const;

 private:
  /// Of finite, contiguous rows; called on several threads at once. [n]
  virtual std::vector<float> score_rows(const at::Tensor& features) const = 0;
};

}  // namespace headroom::baselines
