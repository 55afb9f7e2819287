#include "molecules/baselines/classifier/classifier_pass.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/ops/training/keyed_numbers.h"
#include "molecules/baselines/detectors/readout.h"

namespace molgauge::baselines {
namespace {

constexpr ClassifierShape kShape{.inputs = 7, .hidden = 5, .layers = 4, .outputs = 3};

at::Tensor random(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::detail::createCPUGenerator(seed));
}

/// Composes the classifier from ATen operators, so that autograd computes the gradients.
at::Tensor composed(const at::Tensor& features, const ClassifierParameters& parameters,
                    Classifier& classifier, bool batch_statistics) {
  at::Tensor x = features;
  for (std::size_t i = 0; i < parameters.layers.size(); ++i) {
    const auto& layer = parameters.layers[i];
    x = at::linear(x, layer.weight, layer.bias);
    if (layer.norm_weight.defined()) {
      const auto index = static_cast<std::int64_t>(i);
      x = at::batch_norm(x, layer.norm_weight, layer.norm_bias, classifier.running_mean(index),
                         classifier.running_variance(index), batch_statistics, 0.1, 1e-5, false);
    }
    x = i + 1 < parameters.layers.size() ? at::relu(x) : x;
  }
  return x;
}

ClassifierParameters leaves_of(const Classifier& classifier) {
  ClassifierParameters leaves(classifier.shape());
  for (std::size_t i = 0; i < leaves.layers.size(); ++i) {
    const auto& from = classifier.parameters().layers[i];
    auto& to = leaves.layers[i];
    const auto leaf = [](const at::Tensor& tensor) { return tensor.clone().requires_grad_(true); };
    to.weight = leaf(from.weight);
    to.bias = leaf(from.bias);
    if (from.norm_weight.defined()) {
      to.norm_weight = leaf(from.norm_weight);
      to.norm_bias = leaf(from.norm_bias);
    }
  }
  return leaves;
}

void expect_close(const at::Tensor& found, const at::Tensor& expected, const char* what) {
  EXPECT_TRUE(at::allclose(found, expected, 1e-4, 1e-5)) << what << "\n" << found << "\n" << expected;
}

TEST(ClassifierPass, TrainingPassEqualsComposedOperators) {
  Classifier classifier(kShape, 3);
  Classifier twin = classifier.copy();
  const at::Tensor features = random({9, 7}, 4), slope = random({9, 3}, 5);
  ClassifierPass pass(classifier, 12);
  const at::Tensor logits = pass.forward(features, NormalizationMode::batch).clone();
  ClassifierParameters gradient(kShape);
  pass.backward(features, slope, gradient);

  const ClassifierParameters leaves = leaves_of(twin);
  const at::Tensor expected = composed(features, leaves, twin, true);
  expected.backward(slope);
  expect_close(logits, expected.detach(), "logits");
  for (std::size_t i = 0; i < leaves.layers.size(); ++i) {
    expect_close(gradient.layers[i].weight, leaves.layers[i].weight.grad(), "weight");
    expect_close(gradient.layers[i].bias, leaves.layers[i].bias.grad(), "bias");
    if (leaves.layers[i].norm_weight.defined()) {
      const auto index = static_cast<std::int64_t>(i);
      expect_close(gradient.layers[i].norm_weight, leaves.layers[i].norm_weight.grad(), "norm weight");
      expect_close(gradient.layers[i].norm_bias, leaves.layers[i].norm_bias.grad(), "norm bias");
      expect_close(classifier.running_mean(index), twin.running_mean(index), "running mean");
      expect_close(classifier.running_variance(index), twin.running_variance(index), "running variance");
    }
  }
}

TEST(ClassifierPass, InputGradientEqualsComposedOperators) {
  Classifier classifier(kShape, 3);
  const at::Tensor features = random({6, 7}, 4).requires_grad_(true), slope = random({6, 3}, 5);
  ClassifierPass pass(classifier, 6);
  pass.forward(features.detach());
  const at::Tensor found = pass.input_gradient(slope);
  composed(features, classifier.parameters(), classifier, false).backward(slope);
  expect_close(found, features.grad(), "gradient in the features");
}

TEST(ClassifierPass, DropoutKeepsTheMeanAndIsRepeatable) {
  Classifier classifier({.inputs = 7, .hidden = 400, .layers = 2, .outputs = 2}, 3);
  const at::Tensor features = random({50, 7}, 4);
  std::vector<std::uint64_t> keys(50);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = ops::mix(i);
  }
  ClassifierPass pass(classifier, 50);
  pass.forward(features);
  const at::Tensor whole = pass.hidden().clone();
  pass.again({0.25, keys, 0});
  const at::Tensor first = pass.hidden().clone();
  pass.again({0.25, keys, 1});
  EXPECT_FALSE(at::equal(first, pass.hidden()));
  pass.again({0.25, keys, 0});
  EXPECT_TRUE(at::equal(first, pass.hidden()));
  const double dropped = (first.eq(0) & whole.gt(0)).sum().item<double>() / whole.gt(0).sum().item<double>();
  EXPECT_NEAR(dropped, 0.25, 0.02);
  EXPECT_NEAR(first.sum().item<double>() / whole.sum().item<double>(), 1, 0.03);
}

TEST(Classifier, GoesThroughAFile) {
  Classifier classifier(kShape, 3);
  classifier.running_variance(1).fill_(2);
  const io::TensorMap tensors = classifier.to_tensors();
  EXPECT_TRUE(tensors.contains("network.8.running_mean"));
  Classifier again = Classifier::from_tensors(tensors, "file");
  EXPECT_EQ(again.shape(), kShape);
  const at::Tensor features = random({3, 7}, 4);
  EXPECT_TRUE(at::equal(read_out(classifier, features).logits, read_out(again, features).logits));
}

TEST(Classifier, RefusesWhatIsNone) {
  io::TensorMap tensors = Classifier(kShape, 3).to_tensors();
  tensors.erase("network.4.running_var");
  EXPECT_THROW(Classifier::from_tensors(tensors, "file"), InputError);
  EXPECT_THROW(Classifier::from_tensors({}, "file"), InputError);
  EXPECT_THROW(Classifier({.layers = 1}, 3), UsageError);
}

}  // namespace
}  // namespace molgauge::baselines
