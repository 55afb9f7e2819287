#pragma once

#include <memory>

#include <ATen/ATen.h>

#include "molecules/baselines/classifier/classifier.h"
#include "molecules/baselines/classifier/labels.h"
#include "molecules/baselines/detectors/row_batches.h"

namespace molgauge::baselines {

/// A classifier and the meaning of its outputs. Detectors with the same classifier share it.
struct TrainedClassifier {
  std::shared_ptr<Classifier> classifier;  ///< null for methods that read the features themselves
  LabelKind kind = LabelKind::classes;
};

/// The outputs that detectors use.
struct Readout {
  at::Tensor logits;  ///< [n, outputs]
  at::Tensor hidden;  ///< [n, hidden]
};

/// Computes the outputs for all features [n, inputs] at once, on the calling thread. Uses running statistics
/// and no dropout.
Readout read_out(Classifier& classifier, const at::Tensor& features);

/// Computes the same outputs in batches, for whole data sets.
Readout read_out(Classifier& classifier, const at::Tensor& features, const RowBatches& batches);

/// Returns the rows that distances compare: the hidden features [n, hidden]. Without a classifier, returns
/// the features [n, inputs] themselves.
at::Tensor rows_to_compare(const TrainedClassifier& model, const at::Tensor& features);
at::Tensor rows_to_compare(const TrainedClassifier& model, const at::Tensor& features,
                           const RowBatches& batches);

}  // namespace molgauge::baselines
