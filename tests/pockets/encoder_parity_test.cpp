// Compares the pocket encoder with the public implementation, if the reference data is installed.

#include <algorithm>
#include <cstdlib>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/io/tensors/checkpoint.h"
#include "base/numerics/torch/arrays.h"
#include "fixture_arrays.h"
#include "pockets/array_operators.h"
#include "pockets/tensor_operators.h"
#include "reference_batch.h"
#include "reference_encoders.h"
#include "support/fixtures.h"

namespace molgauge::pocket {
namespace {

using test::batch_in;
using test::floats_in;
using test::reference_data;
using test::ReferenceEncoder;

TEST(PocketEncoderParity, OutputsOnArraysAndOnTensors) {
  REQUIRE_REFERENCE("pocket/v2_small_state.pt");
  const std::vector<ReferenceEncoder> variants = test::reference_encoders();
  EXPECT_FALSE(variants.empty());
  for (const ReferenceEncoder& variant : variants) {
    SCOPED_TRACE(variant.name);
    const io::TensorMap state = io::read_checkpoint(reference_data(variant.state));
    const at::Tensor expected = torch::as_tensor(floats_in(variant.arrays, "out"));
    const Batch batch = batch_in(variant.batch);
    const Encoder<ArrayOperators> plain(
        variant.shape, [&](const std::string& name, const auto&) { return floats_in(state, name); });
    const at::Tensor of_arrays = torch::as_tensor(plain.forward(as_arrays(batch)));
    EXPECT_LE((of_arrays - expected).abs().max().item<double>(), 1e-5);
    const Encoder<TensorOperators> encoder(variant.shape, [&](const std::string& name, const auto& shape) {
      return torch::as_tensor(floats_in(state, name)).view(shape);
    });
    const at::Tensor of_tensors = encoder.forward(as_tensors(batch));
    EXPECT_LE((of_tensors - expected).abs().max().item<double>(), 1e-5);
  }
}

bool has_gradients(const ReferenceEncoder& encoder) {
  return std::ranges::any_of(encoder.arrays,
                             [](const auto& array) { return array.first.starts_with("grad/"); });
}

/// The README of the fixtures explains the tolerances. The float32 errors of the original are of the same
/// order.
TEST(PocketEncoderParity, Gradients) {
  REQUIRE_REFERENCE("pocket/v2_small_state.pt");
  std::size_t encoders = 0;
  for (const ReferenceEncoder& variant : test::reference_encoders()) {
    if (!has_gradients(variant)) {
      continue;
    }
    SCOPED_TRACE(variant.name);
    ++encoders;
    const io::TensorMap state = io::read_checkpoint(reference_data(variant.state));
    const io::TensorMap& expected = variant.arrays;
    std::map<std::string, at::Tensor> parameters;
    const Encoder<TensorOperators> encoder(variant.shape, [&](const std::string& name, const auto& shape) {
      return parameters[name] =
                 torch::as_tensor(floats_in(state, name)).view(shape).clone().requires_grad_(true);
    });
    BatchOf<TensorOperators> batch = as_tensors(batch_in(variant.batch));
    parameters["in/pos"] = batch.positions = batch.positions.clone().requires_grad_(true);
    parameters["in/x"] = batch.features = batch.features.clone().requires_grad_(true);
    (encoder.forward(batch) * torch::as_tensor(floats_in(expected, "R"))).sum().backward();
    const double tolerance = variant.shape.third ? 1e-3 : variant.shape.layer_norm ? 5e-4 : 1e-5;
    const bool is_exact = !variant.shape.third && !variant.shape.layer_norm;
    std::size_t compared = 0, without_meaning = 0;
    for (const auto& [name, tensor] : expected) {
      const bool is_input = name.starts_with("grad_in/");
      // These biases add one number to all logits, so their true gradients are zero. The gradients in the
      // reference are only rounding errors.
      if (name == "grad/pooling_mlp.6.bias" || name == "grad/pooling.key_proj.bias") {
        ++without_meaning;
        continue;
      }
      if (!is_input && !name.starts_with("grad/")) {
        continue;
      }
      const std::string own = is_input ? "in/" + name.substr(8) : name.substr(5);
      ASSERT_TRUE(parameters.contains(own)) << own;
      const at::Tensor theirs = torch::as_tensor(floats_in(expected, name)).view_as(parameters[own]);
      const double scale = theirs.abs().max().item<double>();
      const double error = (parameters[own].grad() - theirs).abs().max().item<double>();
      if (std::getenv("MOLGAUGE_SHOW_ERRORS") != nullptr) {
        fmt::print("{} {} {:.2e}\n", variant.name, own, error / scale);
      }
      // In these sums, the gradients of many edges nearly cancel.
      const bool is_radial = own.find("radial_mlp") != std::string::npos;
      EXPECT_LE(error, (is_exact && is_radial ? 4e-6 : tolerance) * scale) << own;
      ++compared;
    }
    EXPECT_EQ(compared + without_meaning, parameters.size());
  }
  EXPECT_GT(encoders, 0U);
}

}  // namespace
}  // namespace molgauge::pocket
