// Tests the operators of Uni-Mol on LibTorch tensors: comparison with plain arrays, gradients, dropout.

#include <cmath>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/attention_kernels.h"
#include "molecules/encoders/unimol/tensor_operators.h"
#include "support/gradcheck.h"
#include "tensors.h"

namespace molgauge::encoders::unimol {
namespace {

using Plain = PairOperators;
using molgauge::test::floats_of;

constexpr std::int64_t kHeads = 4, kWidth = 32, kKernels = 8;
constexpr double kDropout = 0.25;

struct Molecules {
  explicit Molecules(const std::vector<std::int64_t>& sizes) : plain(ops::make_segments(sizes)) {
    for (const std::int64_t size : sizes) {
      tokens += size;
      pairs += size * size;
    }
  }
  torch::Segments tensors() const { return torch::on_device(plain, c10::kCPU); }

  ops::Segments plain;
  std::int64_t tokens = 0, pairs = 0;
};

const Molecules& some_molecules() {
  static const Molecules molecules({5, 2, 9});
  return molecules;
}

void expect_close(const ops::Floats& plain, const at::Tensor& tensor) {
  ASSERT_EQ(plain.shape(), tensor.sizes().vec());
  const at::Tensor numbers = torch::as_tensor(plain);
  EXPECT_TRUE(at::allclose(numbers, tensor, 1e-5, 1e-5))
      << "the largest difference is " << (numbers - tensor).abs().max().item<float>();
}

torch::Linear random_linear(std::int64_t out, std::int64_t in) {
  return {at::randn({out, in}) / std::sqrt(in), at::randn({out})};
}
torch::LayerNorm random_norm() { return {at::randn({kWidth}), at::randn({kWidth})}; }
ops::Linear plain(const torch::Linear& linear) { return {floats_of(linear.weight), floats_of(linear.bias)}; }
RowNorm plain(const torch::LayerNorm& norm) {
  return RowNorm({floats_of(norm.weight), floats_of(norm.bias)});
}

TEST(UnimolTensors, PairLogits) {
  const Molecules& molecules = some_molecules();
  const at::Tensor tokens = at::randint(kTokens, {molecules.tokens}, at::kLong);
  const at::Tensor distances = at::rand({molecules.pairs}) * 8;
  const TensorOperators::GaussianKernels kernels = {at::randn({kPairKinds, 1}), at::randn({kPairKinds, 1}),
                                                    at::rand({1, kKernels}) * 9, at::randn({1, kKernels})};
  const torch::Linear hidden = random_linear(kKernels, kKernels), out = random_linear(kHeads, kKernels);
  expect_close(
      Plain::pair_logits(molgauge::test::integers_of(tokens), floats_of(distances), molecules.plain,
                         {floats_of(kernels.factors), floats_of(kernels.offsets), floats_of(kernels.means),
                          floats_of(kernels.widths)},
                         {plain(hidden), ops::Activation::gelu}, {plain(out), ops::Activation::none}),
      TensorOperators::pair_logits(tokens, distances, molecules.tensors(), kernels,
                                   {hidden, ops::Activation::gelu}, {out, ops::Activation::none}));
}

TEST(UnimolTensors, RowsOfTokens) {
  const Molecules& molecules = some_molecules();
  const at::Tensor tokens = at::randint(kTokens, {molecules.tokens}, at::kLong);
  const at::Tensor table = at::randn({kTokens, kWidth}), x = at::randn({molecules.tokens, kWidth});
  const torch::LayerNorm norm = random_norm();
  const torch::Linear wide = random_linear(40, kWidth), narrow = random_linear(kWidth, 40),
                      square = random_linear(kWidth, kWidth);
  expect_close(
      Plain::embed(floats_of(table), molgauge::test::integers_of(tokens), plain(norm), molecules.plain, {}),
      TensorOperators::embed(table, tokens, norm, molecules.tensors(), {}));
  expect_close(Plain::normalise(plain(norm), floats_of(x)), TensorOperators::normalise(norm, x));
  expect_close(Plain::normalised(plain(norm), {plain(wide), ops::Activation::none}, floats_of(x)),
               TensorOperators::normalised(norm, {wide, ops::Activation::none}, x));
  const at::Tensor input = at::randn({molecules.tokens, kWidth});
  expect_close(
      Plain::add_layer(floats_of(x), {plain(square), ops::Activation::none}, floats_of(input),
                       molecules.plain, {}),
      TensorOperators::add_layer(x, {square, ops::Activation::none}, input, molecules.tensors(), {}));
  expect_close(Plain::feed_forward(floats_of(x), plain(norm), {plain(wide), ops::Activation::gelu},
                                   {plain(narrow), ops::Activation::none}, molecules.plain, {}),
               TensorOperators::feed_forward(x, norm, {wide, ops::Activation::gelu},
                                             {narrow, ops::Activation::none}, molecules.tensors(), {}));
  expect_close(Plain::first_rows(floats_of(x), molecules.plain),
               TensorOperators::first_rows(x, molecules.tensors()));
}

TEST(UnimolTensors, Attention) {
  const Molecules& molecules = some_molecules();
  const torch::Linear joint = random_linear(3 * kWidth, kWidth), mixed = random_linear(kWidth, kWidth);
  const at::Tensor x = at::randn({molecules.tokens, kWidth}), before = at::randn({molecules.pairs, kHeads});
  const ops::Dense plain_joint(Plain::arrange_joint(plain(joint), kHeads), ops::Activation::none);
  const ops::Dense plain_mixed(Plain::arrange_mixed(plain(mixed), kHeads), ops::Activation::none);
  const torch::Dense tensor_joint(TensorOperators::arrange_joint(joint, kHeads), ops::Activation::none);
  const torch::Dense tensor_mixed(TensorOperators::arrange_mixed(mixed, kHeads), ops::Activation::none);
  for (const bool first_only : {false, true}) {
    ops::Floats plain_pairs = floats_of(before);
    at::Tensor pairs = before;
    expect_close(plain_mixed(Plain::attend(plain_joint(floats_of(x)), plain_pairs, molecules.plain, kHeads,
                                           first_only, {})),
                 tensor_mixed(TensorOperators::attend(tensor_joint(x), pairs, molecules.tensors(), kHeads,
                                                      first_only, {})));
    if (!first_only) {
      expect_close(plain_pairs, pairs);
    }
  }
}

torch::KeyedDropout some_dropout(double probability = kDropout) {
  return {at::arange(100, 103, at::kLong), probability, /*place=*/7};
}

/// The attention has its own backward pass. Its gradients are checked in float32, with and without dropout.
TEST(UnimolTensors, GradientsOfAttentionAreItsSlopes) {
  const Molecules& molecules = some_molecules();
  const at::Tensor joint = at::randn({molecules.tokens, 3 * kWidth});
  const at::Tensor before = at::randn({molecules.pairs, kHeads});
  const std::pair<const char*, decltype(&torch::attend)> strategies[] = {{"loops", torch::attend},
                                                                         {"steps", torch::attention_kernels}};
  for (const auto& [name, attention] : strategies) {
    for (const bool first_only : {false, true}) {
      for (const double probability : {0.0, kDropout}) {
        SCOPED_TRACE(testing::Message()
                     << name << (first_only ? ", first tokens, " : ", all, ") << probability);
        molgauge::test::expect_gradients(
            {joint, before},
            [&] {
              const at::Tensor own = joint.detach().requires_grad_(true),
                               logits = before.detach().requires_grad_(true);
              const torch::AttentionOutput made =
                  attention(own, logits, molecules.tensors(), kHeads, first_only, some_dropout(probability));
              at::Tensor value = (made.out * at::arange(made.out.numel()).view(made.out.sizes()).sin()).sum();
              if (made.logits.defined()) {
                value =
                    value +
                    (made.logits * at::arange(made.logits.numel()).view(made.logits.sizes()).cos() / 8).sum();
              }
              value.backward();
              return molgauge::test::ValueAndGradients{value.item<double>(), {own.grad(), logits.grad()}};
            },
            {.step = 1e-2, .tolerance = 1e-2, .most = 60});
      }
    }
  }
}

TEST(UnimolTensors, DropoutDependsOnTheMoleculeAndThePlaceAlone) {
  const at::Tensor x = at::ones({16, kWidth});
  const Molecules whole({5, 2, 9}), last({9});
  const torch::KeyedDropout dropout = some_dropout();
  const at::Tensor dropped = torch::drop_rows(x, whole.tensors(), dropout);
  const auto kept = static_cast<float>(1 / (1 - kDropout));
  EXPECT_TRUE(at::equal(dropped.eq(0).logical_or(dropped.eq(kept)).all(), at::ones({}, at::kBool)));
  EXPECT_NEAR(dropped.eq(0).to(at::kFloat).mean().item<double>(), kDropout, 0.1);
  const at::Tensor alone =
      torch::drop_rows(x.slice(0, 7), last.tensors(), {dropout.keys.slice(0, 2), kDropout, 7});
  EXPECT_TRUE(at::equal(alone, dropped.slice(0, 7)));
  const at::Tensor first = torch::drop_first_rows(x.slice(0, 0, 3), dropout);
  EXPECT_TRUE(at::equal(first[1], dropped[5]));
  EXPECT_FALSE(at::equal(torch::drop_rows(x, whole.tensors(), dropout.at_place(8)), dropped));
  EXPECT_TRUE(torch::drop_rows(x, whole.tensors(), {}).is_same(x));
}

/// With dropout, the network gives a molecule the same row in any batch. It also computes the same class
/// tokens if only these tokens are wanted.
TEST(UnimolTensors, NetworkWithDropout) {
  constexpr NetworkShape kShape{
      .layers = 2, .width = kWidth, .hidden = 40, .heads = kHeads, .kernels = kKernels};
  const Network<TensorOperators> network(
      kShape, [](const std::string& name, const std::vector<std::int64_t>& shape) {
        return name.ends_with("norm.weight") ? at::ones(shape) : at::randn(shape) * 0.3;
      });
  std::vector<Inputs> inputs(3);
  for (std::size_t m = 0; m < inputs.size(); ++m) {
    inputs[m].tokens = {kClass, 4, 5, 6, kSeparator};
    inputs[m].tokens.resize(5 - m);
    inputs[m].distances.assign(inputs[m].tokens.size() * inputs[m].tokens.size(), 1.5F);
  }
  const Inputs* const all[] = {&inputs[0], &inputs[1], &inputs[2]};
  const torch::KeyedDropout dropout = some_dropout();
  const auto batch = as_tensors(pack(all));
  const at::Tensor rows = network.forward(batch, Wanted::everything, dropout).tokens;
  const at::Tensor first = network.forward(batch, Wanted::class_tokens, dropout).tokens;
  EXPECT_TRUE(at::allclose(TensorOperators::first_rows(rows, batch.molecules), first, 1e-5, 1e-5));
  EXPECT_FALSE(at::allclose(network.forward(batch, Wanted::class_tokens).tokens, first, 1e-3, 1e-3));
  const Inputs* const last[] = {&inputs[2]};
  const at::Tensor alone =
      network.forward(as_tensors(pack(last)), Wanted::class_tokens, {dropout.keys.slice(0, 2), kDropout, 0})
          .tokens;
  EXPECT_TRUE(at::allclose(alone[0], first[2], 1e-5, 1e-5));
}

}  // namespace
}  // namespace molgauge::encoders::unimol
