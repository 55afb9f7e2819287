// The pocket encoder against the public implementation, where the reference data are there.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "fixture_arrays.h"
#include "io/tensors/checkpoint.h"
#include "io/tensors/npz.h"
#include "pocket/array_operators.h"
#include "pocket/tensor_operators.h"
#include "reference_batch.h"
#include "support/fixtures.h"
#include "torch/arrays.h"

namespace headroom::pocket {
namespace {

using test::batch_in;
using test::floats_in;
using test::reference_data;

/// The fixtures' model, as the original normalises.
EncoderShape small_shape(bool layer_norm) {
  EncoderShape shape;
  shape.hidden = ops::Irreps::parse("8x0e + 4x1o + 2x2e");
  shape.output = 32;
  shape.layers = 2;
  shape.layer_norm = layer_norm;
  shape.channel_norm = ops::ChannelNorm::variance;
  return shape;
}

struct Variant {
  const char* file;
  EncoderShape shape;
  const char* batch = "pocket/batch_small.npz";
  const char* state = "pocket/v2_small_state.pt";
};

EncoderShape third_shape(bool improved) {
  EncoderShape shape = small_shape(improved);
  shape.pooling = Pooling::heads;
  shape.third = ThirdVersion{.improved_layers = improved,
                             .enhanced_invariants = true,
                             .angle_weight = 0.2,
                             .dihedral_weight = 0.2,
                             .nonbonded_weight = 0.2};
  return shape;
}

std::vector<Variant> variants() {
  std::vector<Variant> all = {
      {"v2_small", small_shape(true)},
      {"v2_small_noln", small_shape(false)},
      {"v2_small_mean", small_shape(true)},
      {"v2_small_sum", small_shape(true)},
      {"v2_small_max", small_shape(true)},
      {"v2_small_neigh10", small_shape(false)},
      {"v2_small_bonded_only", small_shape(false)},
      {"v2_small_edge_cases", small_shape(false), "pocket/v2_small_edge_cases.npz"},
      {.file = "v3_small", .shape = third_shape(true), .state = "pocket/v3_small_state.pt"},
      {.file = "v3_small_equivariant",
       .shape = third_shape(false),
       .state = "pocket/v3_small_equivariant_state.pt"}};
  all[2].shape.pooling = Pooling::mean;
  all[3].shape.pooling = Pooling::sum;
  all[4].shape.pooling = Pooling::max;
  all[5].shape.average_neighbours = 10;
  all[6].shape.multi_hop = all[6].shape.nonbonded = false;
  return all;
}

std::string path_of(const Variant& variant) { return std::string("pocket/") + variant.file + ".npz"; }

TEST(PocketEncoderParity, OutputsOnArraysAndOnTensors) {
  REQUIRE_REFERENCE("pocket/v2_small_state.pt");
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.file);
    const io::TensorMap state = io::read_checkpoint(reference_data(variant.state));
    const at::Tensor expected =
        torch::as_tensor(floats_in(io::read_npz(reference_data(path_of(variant))), "out"));
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

/// Tolerances: README of the fixtures; those in float32 of the original itself are of this order.
TEST(PocketEncoderParity, Gradients) {
  REQUIRE_REFERENCE("pocket/v2_small_state.pt");
  for (const Variant& variant : {variants()[0], variants()[1], variants()[8]}) {
    SCOPED_TRACE(variant.file);
    const io::TensorMap state = io::read_checkpoint(reference_data(variant.state));
    const io::TensorMap expected = io::read_npz(reference_data(path_of(variant)));
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
    std::size_t compared = 0;
    for (const auto& [name, tensor] : expected) {
      const bool is_input = name.starts_with("grad_in/");
      // The gradient of a number that all logits have in common is zero; what is there is rounding.
      if ((!is_input && !name.starts_with("grad/")) || name == "grad/pooling_mlp.6.bias" ||
          name == "grad/pooling.key_proj.bias") {
        continue;
      }
      const std::string own = is_input ? "in/" + name.substr(8) : name.substr(5);
      ASSERT_TRUE(parameters.contains(own)) << own;
      const at::Tensor theirs = torch::as_tensor(floats_in(expected, name)).view_as(parameters[own]);
      const double scale = theirs.abs().max().item<double>();
      EXPECT_LE((parameters[own].grad() - theirs).abs().max().item<double>(), tolerance * scale) << own;
      ++compared;
    }
    EXPECT_EQ(compared, parameters.size() - 1);
  }
}

}  // namespace
}  // namespace headroom::pocket
