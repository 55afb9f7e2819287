#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::baselines {

/// The sizes of a classifier: layers - 1 hidden layers of width `hidden`, then the output layer.
struct ClassifierShape {
  std::int64_t inputs = 512, hidden = 64, layers = 3, outputs = 2;

  /// Numbers of inputs and outputs of linear layer i, 0 <= i < layers.
  std::int64_t layer_inputs(std::int64_t i) const { return i == 0 ? inputs : hidden; }
  std::int64_t layer_outputs(std::int64_t i) const { return i + 1 == layers ? outputs : hidden; }
  /// Batch normalisation follows every hidden layer but the first.
  bool is_normalized(std::int64_t i) const { return i > 0 && i + 1 < layers; }
  bool operator==(const ClassifierShape&) const = default;
};

/// The parameters of a classifier, or their gradient. They are views of one array, so an optimizer step is
/// one loop.
struct ClassifierParameters {
  struct Layer {
    at::Tensor weight, bias;            ///< [outputs, inputs], [outputs]
    at::Tensor norm_weight, norm_bias;  ///< [hidden]; undefined if the layer is not normalised
  };
  at::Tensor all;  ///< [count], float32
  std::vector<Layer> layers;

  explicit ClassifierParameters(const ClassifierShape& shape);
};

/// The network of the published baselines. The first hidden layer consists of linear, ReLU, dropout. Each
/// other hidden layer consists of linear, batch normalisation, ReLU, dropout. The output layer is linear, and
/// its inputs are called the hidden features of a molecule. ClassifierPass computes the network.
class Classifier {
 public:
  /// Draws the parameters like torch.nn.Linear, uniformly between -1 / sqrt(inputs) and 1 / sqrt(inputs),
  /// from a generator seeded with `seed`. Throws UsageError for an impossible shape.
  Classifier(const ClassifierShape& shape, std::uint64_t seed);

  /// Reads "network.N.weight" and so on, where N counts all modules, including ReLU and dropout. The tensors
  /// determine the shape. Throws InputError with `source` if a tensor is missing or has another shape.
  static Classifier from_tensors(const io::TensorMap& tensors, const std::string& source);
  io::TensorMap to_tensors() const;

  const ClassifierShape& shape() const { return shape_; }
  ClassifierParameters& parameters() { return parameters_; }
  const ClassifierParameters& parameters() const { return parameters_; }
  /// Running mean and variance of normalised layer i, [hidden].
  const at::Tensor& running_mean(std::int64_t i) const { return running_mean_[static_cast<std::size_t>(i)]; }
  const at::Tensor& running_variance(std::int64_t i) const {
    return running_variance_[static_cast<std::size_t>(i)];
  }

  /// Returns a deep copy.
  Classifier copy() const;

 private:
  explicit Classifier(const ClassifierShape& shape);

  ClassifierShape shape_;
  ClassifierParameters parameters_;
  std::vector<at::Tensor> running_mean_, running_variance_;  ///< statistics of each layer; undefined if the
                                                             ///< layer is not normalised
};

}  // namespace molgauge::baselines
