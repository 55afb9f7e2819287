// Records operator calls to count how often a training step on a GPU makes the host wait. The step uses the
// GPU code paths, which run on the host here. Without caching and joining of copies, there would be 36 copies
// for messages, 9 copies for attention and 40 reads for clipping.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/attention_kernels.h"
#include "base/numerics/torch/keyed_dropout.h"
#include "base/numerics/torch/message_kernels.h"
#include "base/numerics/torch/optimizer_by_steps.h"
#include "base/train/parameters.h"
#include "support/operator_calls.h"

namespace molgauge::train {
namespace {

constexpr std::int64_t kLayers = 3, kHeads = 4, kWidth = 32, kMessages = 2, kHidden = 8;

/// Two layers of messages, forward and backward.
void pass_messages() {
  const ops::TensorProduct product(ops::Irreps::parse("8x0e + 4x1o"), 1, ops::Irreps::parse("12x0e + 4x1o"));
  const at::Tensor first = at::tensor({0, 2, 4, 5}, at::kLong);
  const torch::DirectedEdges edges{.source = at::tensor({1, 2, 0, 2, 1}, at::kLong),
                                   .target = at::tensor({0, 0, 1, 1, 2}, at::kLong),
                                   .first = first,
                                   .first_here = first};
  for (std::int64_t layer = 0; layer < kMessages; ++layer) {
    const torch::MessageTensors tensors{.rows = at::randn({3, product.in().width()}),
                                        .harmonics = at::randn({5, product.harmonics().width()}),
                                        .radial = at::randn({5, kHidden}),
                                        .weight = at::randn({product.weights(), kHidden}),
                                        .bias = at::randn({product.weights()}),
                                        .edges = edges};
    const at::Tensor out = torch::message_kernels(product, tensors);
    torch::message_backward_by_steps(product, tensors, at::ones_like(out), true);
  }
}

/// Attention layers with three dropouts each, as in Uni-Mol, forward and backward.
void pass_attention() {
  const torch::Segments molecules{at::tensor({0, 3, 7}, at::kLong),
                                  at::tensor({0, 0, 0, 1, 1, 1, 1}, at::kLong)};
  const torch::KeyedDropout dropout =
      torch::KeyedDropout{at::tensor({3, 1}, at::kLong), 0.1, 0}.on(c10::kCPU);
  at::Tensor joint = at::randn({7, 3 * kWidth}).requires_grad_(true);
  at::Tensor pairs = at::randn({25, kHeads}), x;
  for (std::int64_t layer = 0; layer < kLayers; ++layer) {
    const torch::AttentionOutput attended =
        torch::attention_kernels(joint, pairs, molecules, kHeads, false, dropout.at_place(3 * layer));
    pairs = attended.logits;
    x = attended.out * torch::row_factors_by_steps(molecules, kWidth, dropout.at_place(3 * layer + 1)) *
        torch::row_factors_by_steps(molecules, kWidth, dropout.at_place(3 * layer + 2));
    joint = x.repeat({1, 3});
  }
  x.sum().backward();
}

Parameters some_parameters(std::size_t count) {
  ParameterGroup group{.name = "all", .parameters = {}, .options = {}};
  for (std::size_t i = 0; i < count; ++i) {
    group.parameters.push_back({"p" + std::to_string(i), at::ones({4, 3}).requires_grad_(true)});
    group.parameters.back().value.mutable_grad() = at::full({4, 3}, 0.5);
  }
  return Parameters({std::move(group)});
}

TEST(HostWaits, MessagesAndAttentionCopyNothing) {
  const test::OperatorCalls calls;
  pass_messages();
  EXPECT_EQ(calls.moves(), 0U);
  pass_attention();
  EXPECT_EQ(calls.moves(), 0U);
  EXPECT_EQ(calls.reads(), 0U);
}

TEST(HostWaits, ClippingReadsOnceForAllParameters) {
  const Parameters parameters = some_parameters(40);
  const test::OperatorCalls calls;
  clip_gradients(parameters, {.norm = 1});
  EXPECT_EQ(calls.moves(), 1U);
  EXPECT_EQ(calls.reads(), 0U);
}

/// The fused kernel of AdamW calls no ATen operators. Without it, a step needs eight operators for each
/// parameter.
TEST(HostWaits, TheOptimizerCallsNoOperators) {
  std::vector<torch::AdamWParameter> parameters;
  for (int i = 0; i < 40; ++i) {
    parameters.push_back({at::ones({4, 3}), at::ones({4, 3}), at::zeros({4, 3}), at::zeros({4, 3}), 1, 0.1});
  }
  const test::OperatorCalls calls;
  torch::adamw_by_steps(parameters, {});
  EXPECT_EQ(calls.all(), 0U);
}

}  // namespace
}  // namespace molgauge::train
