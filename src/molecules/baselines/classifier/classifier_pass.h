#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "base/numerics/ops/training/layer_kernels.h"
#include "molecules/baselines/classifier/classifier.h"

namespace molgauge::baselines {

enum class NormalizationMode {
  running,  ///< uses the running statistics, for scoring
  batch,    ///< uses the statistics of the batch and updates the running statistics, for training
};

/// Computes batches of rows, forward and backward, in buffers that are allocated once. Training, scoring,
/// input gradients and sampling with dropout all use this definition of the network.
///
/// Products are computed by base/numerics/ops/linear_algebra/small_products.h, and all other operations by
/// numerics/ops/training/layer_kernels.h. The class is not thread-safe.
class ClassifierPass {
 public:
  /// Keeps a reference to the classifier. Batches have at most `most_rows` rows.
  ClassifierPass(Classifier& classifier, std::int64_t most_rows);

  /// Logits [n, outputs] of features [n, inputs] (float32, contiguous), valid until the next call.
  const at::Tensor& forward(const at::Tensor& features, NormalizationMode mode = NormalizationMode::running,
                            const ops::Dropout& dropout = {});
  /// Repeats the last forward() with the running statistics and another dropout mask. The product of the
  /// first layer is reused, because it is most of the work.
  const at::Tensor& again(const ops::Dropout& dropout);

  /// Input [n, hidden] of the last layer in the last pass.
  const at::Tensor& hidden() const { return layers_[layers_.size() - 2].output; }

  /// Computes `gradient` from the gradient [n, outputs] with respect to the logits. The last forward() must
  /// have been in batch mode with these features.
  void backward(const at::Tensor& features, const at::Tensor& logit_gradient, ClassifierParameters& gradient);
  /// The gradient [n, inputs] with respect to the features of the last forward(), which must have been in
  /// running mode.
  at::Tensor input_gradient(const at::Tensor& logit_gradient);

 private:
  struct LayerBuffers {
    at::Tensor product;        ///< output before the activation. In the last layer, the logits
    at::Tensor output, slope;  ///< output after the activation, and its derivative
    at::Tensor normalized, inverse_deviation;
    at::Tensor gradient;  ///< gradient with respect to the product
  };
  void resize(std::int64_t rows);
  void multiply(std::size_t layer, const at::Tensor& input);
  void activate(std::size_t layer, NormalizationMode mode, const ops::Dropout& dropout);
  const at::Tensor& finish(NormalizationMode mode, const ops::Dropout& dropout);
  void spread_to_output(std::size_t layer);
  ops::Rows hidden_rows() const;
  ops::Normalization normalization(std::size_t layer);

  Classifier& classifier_;
  std::vector<LayerBuffers> whole_, layers_;  ///< buffers for most_rows rows, and views of them for the
                                              ///< current batch
};

}  // namespace molgauge::baselines
