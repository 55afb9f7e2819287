// The operators of equivariant networks against e3nn's numbers, where the reference data are there.

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fixture_arrays.h"
#include "io/tensors/npz.h"
#include "ops/equivariant/harmonics.h"
#include "support/fixtures.h"
#include "torch/arrays.h"
#include "torch/equivariant.h"
#include "torch/torch_compatibility.h"

namespace headroom::torch {
namespace {

using test::floats_in;
using test::reference_data;

constexpr double kTolerance = 1e-5;

at::Tensor tensor_in(const io::TensorMap& tensors, const std::string& name) {
  return as_tensor(floats_in(tensors, name));
}

/// The largest difference, relative to the largest number where that is above 1.
double difference(const at::Tensor& found, const at::Tensor& expected) {
  EXPECT_EQ(found.sizes(), expected.sizes());
  return (found - expected).abs().max().item<double>() / std::max(1.0, expected.abs().max().item<double>());
}

const char* const kHidden = "32x0e + 16x1o + 8x2e";

TEST(EquivariantParity, HarmonicsAndSymbols) {
  REQUIRE_REFERENCE("pocket/ops_sh_wigner.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/ops_sh_wigner.npz"));
  const at::Tensor harmonics = as_tensor(ops::spherical_harmonics(floats_in(data, "vec"), 3));
  for (std::int64_t l = 0; l <= 3; ++l) {
    EXPECT_LE(
        difference(harmonics.slice(1, l * l, (l + 1) * (l + 1)), tensor_in(data, fmt::format("sh_l{}", l))),
        kTolerance);
  }
  int compared = 0;
  for (int a = 0; a <= 3; ++a) {
    for (int b = 0; b <= 3; ++b) {
      for (int c = std::abs(a - b); c <= std::min(a + b, 3); ++c, ++compared) {
        const std::vector<float> expected = data.at(fmt::format("w3j_{}_{}_{}", a, b, c)).to_float32();
        const std::vector<double> found = ops::wigner_3j(a, b, c);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          ASSERT_NEAR(found[i], expected[i], 1e-6) << a << b << c << " at " << i;
        }
      }
    }
  }
  EXPECT_EQ(compared, 34);
}

TEST(EquivariantParity, Layers) {
  REQUIRE_REFERENCE("pocket/ops_layers.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/ops_layers.npz"));
  const ops::Irreps hidden = ops::Irreps::parse(kHidden);
  for (const auto& [name, in, out] :
       {std::tuple{"linear_hh", hidden, hidden}, std::tuple{"linear_hg", hidden, ops::gated(hidden)},
        std::tuple{"linear_0h", ops::Irreps::parse("32x0e"), hidden}}) {
    const std::string prefix = std::string(name) + "/";
    const at::Tensor expected = tensor_in(data, prefix + "y");
    EXPECT_LE(difference(IrrepsLinear{in, out, tensor_in(data, prefix + "w")}(tensor_in(data, prefix + "x")),
                         expected),
              kTolerance);
    const ops::IrrepsLinear plain(in, out, floats_in(data, prefix + "w"));
    EXPECT_LE(difference(as_tensor(plain(floats_in(data, prefix + "x"))), expected), kTolerance);
  }
  const at::Tensor gated = tensor_in(data, "gate/x").requires_grad_(true);
  const at::Tensor opened = gate(gated, hidden);
  EXPECT_LE(difference(opened, tensor_in(data, "gate/y")), kTolerance);
  EXPECT_LE(difference(as_tensor(ops::gate(floats_in(data, "gate/x"), hidden)), tensor_in(data, "gate/y")),
            kTolerance);
  (opened * tensor_in(data, "gate/R")).sum().backward();
  EXPECT_LE(difference(gated.grad(), tensor_in(data, "gate/grad_x")), kTolerance);

  // The original keeps j pi, and divides by the cutoff in its formula.
  const ops::Floats frequencies = ops::bessel_frequencies({});
  EXPECT_LE(difference(as_tensor(frequencies) * 6, tensor_in(data, "radial/frequencies")), kTolerance);
  const ops::Floats basis = ops::radial_basis(floats_in(data, "radial/r"), frequencies, 6);
  const at::Tensor expected = tensor_in(data, "radial/bessel") * tensor_in(data, "radial/cutoff");
  EXPECT_LE(difference(as_tensor(basis), expected), kTolerance);
  EXPECT_LE(difference(radial_basis(tensor_in(data, "radial/r"), as_tensor(frequencies), 6), expected),
            kTolerance);

  const at::Tensor x = tensor_in(data, "layernorm/x").requires_grad_(true),
                   weight = tensor_in(data, "layernorm/weight").requires_grad_(true),
                   bias = tensor_in(data, "layernorm/bias").requires_grad_(true);
  const at::Tensor normalised = apply(EquivariantNorm{{weight, bias}, ops::ChannelNorm::variance}, x, hidden);
  EXPECT_LE(difference(normalised, tensor_in(data, "layernorm/y")), kTolerance);
  EXPECT_LE(difference(as_tensor(ops::apply(
                           {{floats_in(data, "layernorm/weight"), floats_in(data, "layernorm/bias")},
                            ops::ChannelNorm::variance},
                           floats_in(data, "layernorm/x"), hidden)),
                       tensor_in(data, "layernorm/y")),
            kTolerance);
  (normalised * tensor_in(data, "layernorm/R")).sum().backward();
  EXPECT_LE(difference(x.grad(), tensor_in(data, "layernorm/grad_x")), 1e-4);
  EXPECT_LE(difference(weight.grad(), tensor_in(data, "layernorm/grad_weight")), kTolerance);
  EXPECT_LE(difference(bias.grad(), tensor_in(data, "layernorm/grad_bias")), kTolerance);
}

/// An edge whose radial numbers are a row of the identity has a column of the weights as its own.
TEST(EquivariantParity, TensorProduct) {
  REQUIRE_REFERENCE("pocket/ops_layers.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/ops_layers.npz"));
  const ops::Irreps hidden = ops::Irreps::parse(kHidden);
  const auto product = std::make_shared<const ops::TensorProduct>(hidden, 2, ops::gated(hidden));
  constexpr std::int64_t kEdges = 12;
  const at::Tensor rows = tensor_in(data, "tp/x1"), harmonics = tensor_in(data, "tp/sh"),
                   radial = at::eye(kEdges), weight = tensor_in(data, "tp/w").t().contiguous(),
                   bias = at::zeros({product->weights()}), gradient = tensor_in(data, "tp/R");
  const at::Tensor every = at::arange(kEdges + 1, at::kLong);
  const ops::MessageArguments arguments{.product = *product,
                                        .nodes = kEdges,
                                        .hidden = kEdges,
                                        .rows = read_numbers<float>(rows),
                                        .harmonics = read_numbers<float>(harmonics),
                                        .radial = read_numbers<float>(radial),
                                        .weight = read_numbers<float>(weight),
                                        .bias = read_numbers<float>(bias),
                                        .source = read_numbers<std::int64_t>(every),
                                        .first = read_numbers<std::int64_t>(every)};
  const at::Tensor out = at::empty({kEdges, product->out().width()});
  ops::equivariant_message(arguments, write_numbers<float>(out));
  EXPECT_LE(difference(out, tensor_in(data, "tp/y")), kTolerance);
  const at::Tensor of_rows = at::zeros_like(rows), of_harmonics = at::zeros_like(harmonics),
                   of_radial = at::zeros_like(radial), of_weight = at::zeros_like(weight),
                   of_bias = at::zeros_like(bias);
  ops::equivariant_message_backward(arguments, read_numbers<float>(gradient),
                                    {.rows = write_numbers<float>(of_rows),
                                     .harmonics = write_numbers<float>(of_harmonics),
                                     .radial = write_numbers<float>(of_radial),
                                     .weight = write_numbers<float>(of_weight),
                                     .bias = write_numbers<float>(of_bias)});
  EXPECT_LE(difference(of_rows, tensor_in(data, "tp/grad_x1")), kTolerance);
  EXPECT_LE(difference(of_harmonics, tensor_in(data, "tp/grad_sh")), kTolerance);
  EXPECT_LE(difference(of_weight.t(), tensor_in(data, "tp/grad_w")), kTolerance);
  EXPECT_LE(difference(of_bias, tensor_in(data, "tp/grad_w").sum(0)), kTolerance);
}

}  // namespace
}  // namespace headroom::torch
