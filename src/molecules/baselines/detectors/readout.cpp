#include "molecules/baselines/detectors/readout.h"

#include "molecules/baselines/classifier/classifier_pass.h"

namespace molgauge::baselines {

Readout read_out(Classifier& classifier, const at::Tensor& features) {
  ClassifierPass pass(classifier, features.size(0));
  const at::Tensor& logits = pass.forward(features);
  return {logits, pass.hidden()};
}

Readout read_out(Classifier& classifier, const at::Tensor& features, const RowBatches& batches) {
  const std::int64_t rows = features.size(0);
  Readout whole{at::empty({rows, classifier.shape().outputs}, at::kFloat),
                at::empty({rows, classifier.shape().hidden}, at::kFloat)};
  for_each_batch(rows, batches, [&](std::int64_t first, std::int64_t count) {
    const Readout part = read_out(classifier, features.narrow(0, first, count));
    whole.logits.narrow(0, first, count).copy_(part.logits);
    whole.hidden.narrow(0, first, count).copy_(part.hidden);
  });
  return whole;
}

at::Tensor rows_to_compare(const TrainedClassifier& model, const at::Tensor& features) {
  return model.classifier ? read_out(*model.classifier, features).hidden : features;
}

at::Tensor rows_to_compare(const TrainedClassifier& model, const at::Tensor& features,
                           const RowBatches& batches) {
  return model.classifier ? read_out(*model.classifier, features, batches).hidden : features;
}

}  // namespace molgauge::baselines
