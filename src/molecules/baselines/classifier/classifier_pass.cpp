#include "molecules/baselines/classifier/classifier_pass.h"

#include "base/numerics/ops/linear_algebra/small_products.h"

namespace molgauge::baselines {
namespace {

at::Tensor first_rows(const at::Tensor& buffer, std::int64_t rows) {
  return buffer.defined() ? buffer.narrow(0, 0, rows) : buffer;
}

}  // namespace

ClassifierPass::ClassifierPass(Classifier& classifier, std::int64_t most_rows) : classifier_(classifier) {
  const ClassifierShape& shape = classifier.shape();
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    const std::int64_t width = shape.layer_outputs(i);
    const auto buffer = [&] { return at::empty({most_rows, width}, at::kFloat); };
    LayerBuffers layer;
    layer.product = buffer();
    layer.gradient = buffer();
    if (i + 1 < shape.layers) {
      layer.output = buffer();
      layer.slope = buffer();
    }
    if (shape.is_normalized(i)) {
      layer.normalized = buffer();
      layer.inverse_deviation = at::empty({width}, at::kFloat);
    }
    whole_.push_back(std::move(layer));
  }
  layers_ = whole_;
}

void ClassifierPass::resize(std::int64_t rows) {
  if (layers_[0].product.size(0) == rows) {
    return;
  }
  TORCH_CHECK(rows <= whole_[0].product.size(0), "more rows than the pass was made for");
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    layers_[i].product = first_rows(whole_[i].product, rows);
    layers_[i].output = first_rows(whole_[i].output, rows);
    layers_[i].slope = first_rows(whole_[i].slope, rows);
    layers_[i].normalized = first_rows(whole_[i].normalized, rows);
    layers_[i].gradient = first_rows(whole_[i].gradient, rows);
  }
}

ops::Rows ClassifierPass::hidden_rows() const {
  const at::Tensor& product = layers_[0].product;
  return {static_cast<std::size_t>(product.size(0)), static_cast<std::size_t>(product.size(1))};
}

ops::Normalization ClassifierPass::normalization(std::size_t layer) {
  const auto& parameters = classifier_.parameters().layers[layer];
  const auto i = static_cast<std::int64_t>(layer);
  return {parameters.norm_weight.data_ptr<float>(), parameters.norm_bias.data_ptr<float>(),
          classifier_.running_mean(i).data_ptr<float>(), classifier_.running_variance(i).data_ptr<float>()};
}

void ClassifierPass::multiply(std::size_t layer, const at::Tensor& input) {
  const at::Tensor& product = layers_[layer].product;
  const auto& parameters = classifier_.parameters().layers[layer];
  ops::apply_linear({static_cast<std::size_t>(input.size(0)), static_cast<std::size_t>(input.size(1)),
                     static_cast<std::size_t>(product.size(1))},
                    input.data_ptr<float>(), parameters.weight.data_ptr<float>(),
                    parameters.bias.data_ptr<float>(), product.data_ptr<float>());
}

void ClassifierPass::activate(std::size_t layer, NormalizationMode mode, const ops::Dropout& dropout) {
  LayerBuffers& buffers = layers_[layer];
  auto* const product = buffers.product.data_ptr<float>();
  if (buffers.normalized.defined()) {
    auto* const inverse = buffers.inverse_deviation.data_ptr<float>();
    if (mode == NormalizationMode::batch) {
      ops::normalize_batch(hidden_rows(), normalization(layer), product, buffers.normalized.data_ptr<float>(),
                           inverse);
    } else {
      ops::normalize_running(hidden_rows(), normalization(layer), product, inverse);
    }
  }
  ops::relu_dropout(hidden_rows(), product, dropout, layer, buffers.output.data_ptr<float>(),
                    buffers.slope.data_ptr<float>());
}

const at::Tensor& ClassifierPass::finish(NormalizationMode mode, const ops::Dropout& dropout) {
  activate(0, mode, dropout);
  for (std::size_t i = 1; i < layers_.size(); ++i) {
    multiply(i, layers_[i - 1].output);
    if (i + 1 < layers_.size()) {
      activate(i, mode, dropout);
    }
  }
  return layers_.back().product;
}

const at::Tensor& ClassifierPass::forward(const at::Tensor& features, NormalizationMode mode,
                                          const ops::Dropout& dropout) {
  resize(features.size(0));
  multiply(0, features);
  return finish(mode, dropout);
}

const at::Tensor& ClassifierPass::again(const ops::Dropout& dropout) {
  return finish(NormalizationMode::running, dropout);
}

/// Computes the gradient of the loss for the input of the activation function in the previous layer. It needs
/// the gradient for the matrix product of `layer`.
void ClassifierPass::spread_to_output(std::size_t layer) {
  LayerBuffers& before = layers_[layer - 1];
  const at::Tensor& own = layers_[layer].gradient;
  const auto rows = static_cast<std::size_t>(own.size(0)), outputs = static_cast<std::size_t>(own.size(1));
  ops::add_weighted_rows(
      {.sums = rows, .terms = outputs, .width = hidden_rows().width, .sum_stride = outputs, .term_stride = 1},
      own.data_ptr<float>(), classifier_.parameters().layers[layer].weight.data_ptr<float>(),
      before.gradient.data_ptr<float>());
  ops::multiply(hidden_rows().size(), before.slope.data_ptr<float>(), before.gradient.data_ptr<float>());
}

void ClassifierPass::backward(const at::Tensor& features, const at::Tensor& logit_gradient,
                              ClassifierParameters& gradient) {
  layers_.back().gradient.copy_(logit_gradient);
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const at::Tensor& own = layers_[i].gradient;
    auto& into = gradient.layers[i];
    if (layers_[i].normalized.defined()) {
      ops::normalize_batch_backward(hidden_rows(), normalization(i).weight,
                                    layers_[i].normalized.data_ptr<float>(),
                                    layers_[i].inverse_deviation.data_ptr<float>(), own.data_ptr<float>(),
                                    into.norm_weight.data_ptr<float>(), into.norm_bias.data_ptr<float>());
    }
    const at::Tensor& input = i == 0 ? features : layers_[i - 1].output;
    const auto rows = static_cast<std::size_t>(own.size(0)), outputs = static_cast<std::size_t>(own.size(1));
    ops::add_weighted_rows({.sums = outputs,
                            .terms = rows,
                            .width = static_cast<std::size_t>(input.size(1)),
                            .sum_stride = 1,
                            .term_stride = outputs},
                           own.data_ptr<float>(), input.data_ptr<float>(), into.weight.data_ptr<float>());
    ops::sum_rows({rows, outputs}, own.data_ptr<float>(), into.bias.data_ptr<float>());
    if (i > 0) {
      spread_to_output(i);
    }
  }
}

at::Tensor ClassifierPass::input_gradient(const at::Tensor& logit_gradient) {
  layers_.back().gradient.copy_(logit_gradient);
  for (std::size_t i = layers_.size(); i-- > 1;) {
    spread_to_output(i);
    if (layers_[i - 1].normalized.defined()) {
      ops::normalize_running_backward(hidden_rows(), normalization(i - 1).weight,
                                      layers_[i - 1].inverse_deviation.data_ptr<float>(),
                                      layers_[i - 1].gradient.data_ptr<float>());
    }
  }
  const ClassifierShape& shape = classifier_.shape();
  const at::Tensor& first = layers_[0].gradient;
  at::Tensor gradient = at::empty({first.size(0), shape.inputs}, at::kFloat);
  const auto hidden = static_cast<std::size_t>(shape.hidden);
  ops::add_weighted_rows({.sums = static_cast<std::size_t>(first.size(0)),
                          .terms = hidden,
                          .width = static_cast<std::size_t>(shape.inputs),
                          .sum_stride = hidden,
                          .term_stride = 1},
                         first.data_ptr<float>(), classifier_.parameters().layers[0].weight.data_ptr<float>(),
                         gradient.data_ptr<float>());
  return gradient;
}

}  // namespace molgauge::baselines
