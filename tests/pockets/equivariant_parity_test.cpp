// Compares the operators of equivariant networks with results of e3nn, if the reference data is installed.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "base/numerics/ops/equivariant/harmonics.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/equivariant.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "fixture_arrays.h"
#include "support/fixtures.h"

namespace molgauge::torch {
namespace {

using test::floats_in;
using test::reference_data;

constexpr double kTolerance = 1e-5;

at::Tensor tensor_in(const io::TensorMap& tensors, const std::string& name) {
  return as_tensor(floats_in(tensors, name));
}

/// The largest difference. If the largest number is above 1, the difference is relative to this number.
double difference(const at::Tensor& found, const at::Tensor& expected) {
  EXPECT_EQ(found.sizes(), expected.sizes());
  return (found - expected).abs().max().item<double>() / std::max(1.0, expected.abs().max().item<double>());
}

/// The irreps of the layers. A row of tp/instructions is a path of the tensor product: the blocks of its
/// inputs and of its output, and their multiplicities.
ops::Irreps hidden_irreps(const io::TensorMap& data) {
  const ops::Integers paths = test::integers_in(data, "tp/instructions");
  std::array<std::int64_t, 3> channels = {};
  for (std::int64_t row = 0; row < paths.size(0); ++row) {
    const std::int64_t* const path = paths.data() + row * paths.size(1);
    channels.at(static_cast<std::size_t>(path[0])) = path[3];
  }
  return ops::Irreps::parse(fmt::format("{}x0e + {}x1o + {}x2e", channels[0], channels[1], channels[2]));
}

/// Returns the radial basis of the file. Its functions are sqrt(2 / c) sin(n pi r / c) / r for n = 1, 2, ...
/// The cutoff c follows from the ratio of the second function to the first, which is 2 cos(pi r / c).
ops::RadialBasis basis_in(const io::TensorMap& data) {
  const at::Tensor lengths = tensor_in(data, "radial/r"), bessel = tensor_in(data, "radial/bessel");
  const std::int64_t row = (lengths - 1).abs().argmin().item<std::int64_t>();
  const double length = lengths.flatten()[row].item<double>();
  const double ratio = bessel[row][1].item<double>() / bessel[row][0].item<double>();
  const double cutoff = std::numbers::pi * length / std::acos(ratio / 2);
  return {.functions = bessel.size(1), .cutoff = std::round(cutoff * 1000) / 1000};
}

/// The largest degree of the harmonics in the file.
int largest_degree(const io::TensorMap& data) {
  int degree = 0;
  while (data.contains(fmt::format("sh_l{}", degree + 1))) {
    ++degree;
  }
  return degree;
}

TEST(EquivariantParity, HarmonicsAndSymbols) {
  REQUIRE_REFERENCE("pocket/ops_sh_wigner.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/ops_sh_wigner.npz"));
  const int most = largest_degree(data);
  const at::Tensor harmonics = as_tensor(ops::spherical_harmonics(floats_in(data, "vec"), most));
  for (std::int64_t l = 0; l <= most; ++l) {
    EXPECT_LE(
        difference(harmonics.slice(1, l * l, (l + 1) * (l + 1)), tensor_in(data, fmt::format("sh_l{}", l))),
        kTolerance);
  }
  std::ptrdiff_t compared = 0;
  for (int a = 0; a <= most; ++a) {
    for (int b = 0; b <= most; ++b) {
      for (int c = std::abs(a - b); c <= std::min(a + b, most); ++c, ++compared) {
        const std::vector<float> expected = data.at(fmt::format("w3j_{}_{}_{}", a, b, c)).to_float32();
        const std::vector<double> found = ops::wigner_3j(a, b, c);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          ASSERT_NEAR(found[i], expected[i], 1e-6) << a << b << c << " at " << i;
        }
      }
    }
  }
  EXPECT_EQ(compared,
            std::ranges::count_if(data, [](const auto& array) { return array.first.starts_with("w3j_"); }));
}

TEST(EquivariantParity, Layers) {
  REQUIRE_REFERENCE("pocket/ops_layers.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/ops_layers.npz"));
  const ops::Irreps hidden = hidden_irreps(data);
  const ops::Irreps scalars = ops::Irreps::parse(fmt::format("{}x0e", data.at("linear_0h/x").shape[1]));
  for (const auto& [name, in, out] :
       {std::tuple{"linear_hh", hidden, hidden}, std::tuple{"linear_hg", hidden, ops::gated(hidden)},
        std::tuple{"linear_0h", scalars, hidden}}) {
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

  // The original stores j pi and divides by the cutoff in its formula.
  const ops::RadialBasis radial = basis_in(data);
  const ops::Floats frequencies = ops::bessel_frequencies(radial);
  EXPECT_LE(difference(as_tensor(frequencies) * radial.cutoff, tensor_in(data, "radial/frequencies")),
            kTolerance);
  const ops::Floats basis = ops::radial_basis(floats_in(data, "radial/r"), frequencies, radial.cutoff);
  const at::Tensor expected = tensor_in(data, "radial/bessel") * tensor_in(data, "radial/cutoff");
  EXPECT_LE(difference(as_tensor(basis), expected), kTolerance);
  EXPECT_LE(
      difference(radial_basis(tensor_in(data, "radial/r"), as_tensor(frequencies), radial.cutoff), expected),
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

/// The radial numbers of an edge are a row of the identity matrix. The weights of the edge are then a column
/// of the weight matrix.
TEST(EquivariantParity, TensorProduct) {
  REQUIRE_REFERENCE("pocket/ops_layers.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/ops_layers.npz"));
  const ops::Irreps hidden = hidden_irreps(data);
  const int degree = static_cast<int>(std::lround(std::sqrt(data.at("tp/sh").shape[1]))) - 1;
  const auto product = std::make_shared<const ops::TensorProduct>(hidden, degree, ops::gated(hidden));
  const std::int64_t edges = data.at("tp/x1").shape[0];
  const at::Tensor rows = tensor_in(data, "tp/x1"), harmonics = tensor_in(data, "tp/sh"),
                   radial = at::eye(edges), weight = tensor_in(data, "tp/w").t().contiguous(),
                   bias = at::zeros({product->weights()}), gradient = tensor_in(data, "tp/R");
  const at::Tensor every = at::arange(edges + 1, at::kLong);
  const ops::MessageArguments arguments{.product = *product,
                                        .nodes = edges,
                                        .hidden = edges,
                                        .rows = read_numbers<float>(rows),
                                        .harmonics = read_numbers<float>(harmonics),
                                        .radial = read_numbers<float>(radial),
                                        .weight = read_numbers<float>(weight),
                                        .bias = read_numbers<float>(bias),
                                        .source = read_numbers<std::int64_t>(every),
                                        .first = read_numbers<std::int64_t>(every)};
  const at::Tensor out = at::empty({edges, product->out().width()});
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
}  // namespace molgauge::torch
