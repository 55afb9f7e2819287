// Compares losses, energies and the shapes of checkpoints with the public implementation, if the reference
// data is installed.

#include <set>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/npz.h"
#include "base/numerics/torch/arrays.h"
#include "fixture_arrays.h"
#include "pockets/encoder_shape.h"
#include "pockets/physics.h"
#include "pockets/training/losses.h"
#include "reference_batch.h"
#include "reference_encoders.h"
#include "support/fixtures.h"

namespace molgauge::pocket {
namespace {

using test::floats_in;
using test::reference_data;

double number_in(const io::TensorMap& data, const std::string& name) {
  return data.at(name).to_float32().at(0);
}

/// The names that precede "/loss".
std::vector<std::string> losses_in(const io::TensorMap& data) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : data) {
    if (name.ends_with("/loss")) {
      names.push_back(name.substr(0, name.rfind('/')));
    }
  }
  return names;
}

/// The loss that a name such as "cosine_mse_cosine_weight0.4_mse_weight0.6" describes.
LossOptions options_of(const std::string& name) {
  const auto set = [&](const std::string& setting, double& value) {
    if (const std::size_t at = name.find(setting); at != std::string::npos) {
      value = std::stod(name.substr(at + setting.size()));
    }
  };
  LossOptions options;
  options.kind = name.starts_with("infonce")      ? PocketLoss::infonce
                 : name.starts_with("cosine_mse") ? PocketLoss::cosine_mse
                 : name.starts_with("cosine")     ? PocketLoss::cosine
                                                  : PocketLoss::mse;
  set("cosine_weight", options.cosine_weight);
  set("mse_weight", options.mse_weight);
  set("temperature", options.temperature);
  return options;
}

TEST(PocketLossParity, ValuesMetricsAndGradients) {
  REQUIRE_REFERENCE("pocket/losses.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/losses.npz"));
  const ops::Floats predicted = floats_in(data, "pred"), targets = floats_in(data, "target");
  const std::vector<std::string> losses = losses_in(data);
  EXPECT_FALSE(losses.empty());
  for (const std::string& name : losses) {
    SCOPED_TRACE(name);
    const LossOptions options = options_of(name);
    ops::Floats gradient(predicted.shape());
    const LossValue value = row_loss(options, predicted, targets, gradient.data());
    const std::string prefix = name + "/";
    EXPECT_NEAR(value.loss, number_in(data, prefix + "loss"), 1e-6 * std::max(1.0, value.loss));
    EXPECT_NEAR(value.cosine, number_in(data, prefix + "metric/cosine_similarity"), 1e-6);
    EXPECT_NEAR(value.mse, number_in(data, prefix + "metric/mse_loss"), 1e-6 * value.mse);
    if (options.kind == PocketLoss::infonce) {
      EXPECT_NEAR(value.accuracy, number_in(data, prefix + "metric/infonce_accuracy"), 1e-6);
    }
    const at::Tensor theirs = torch::as_tensor(floats_in(data, prefix + "grad_pred"));
    const at::Tensor error =
        (torch::as_tensor(gradient) - theirs).abs() / theirs.abs().amax(1, true).clamp_min(1e-12);
    EXPECT_LE(error.max().item<double>(), 1e-5);
  }
}

TEST(PocketPhysicsParity, EnergiesAndForces) {
  REQUIRE_REFERENCE("pocket/v3_physics_loss.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/v3_physics_loss.npz"));
  BatchOf<TensorOperators> batch = as_tensors(test::batch_in("pocket/batch_small.npz"));
  batch.positions = batch.positions.clone().requires_grad_(true);
  const PhysicsEnergies energies = physics_energies(batch);
  const auto expect = [&](const at::Tensor& own, const char* kind) {
    const double expected = number_in(data, std::string("value/") + kind + "_energy");
    EXPECT_NEAR(own.mean().item<double>(), expected, 1e-5 * std::max(1.0, std::abs(expected))) << kind;
  };
  expect(energies.bonds, "bond");
  expect(energies.angles, "angle");
  expect(energies.dihedrals, "dihedral");
  expect(energies.pairs, "nonbonded");
  // Terms that keep their order in a batch are compared one by one.
  EXPECT_LE((energies.angles - torch::as_tensor(floats_in(data, "term/angle"))).abs().max().item<double>(),
            1e-5);
  energies.total(true).backward();
  const at::Tensor forces = torch::as_tensor(floats_in(data, "grad_pos"));
  EXPECT_LE((batch.positions.grad() - forces).abs().max().item<double>(),
            1e-4 * forces.abs().max().item<double>());
}

/// A checkpoint does not show a pooling without parameters, or switches that do not affect the parameters.
TEST(PocketShapeParity, CheckpointsTellTheirShape) {
  REQUIRE_REFERENCE("pocket/v2_small_state.pt");
  std::set<std::string> states;
  for (const test::ReferenceEncoder& encoder : test::reference_encoders()) {
    const EncoderShape& expected = encoder.shape;
    const bool has_all = expected.multi_hop && expected.nonbonded && expected.layer_norm;
    const bool has_pooling = expected.pooling == Pooling::attention || expected.pooling == Pooling::heads;
    if (!expected.third && !(has_all && has_pooling)) {
      continue;  // this shape uses only some of the parameters
    }
    SCOPED_TRACE(encoder.name);
    states.insert(encoder.state);
    const auto file = reference_data(encoder.state);
    const EncoderShape shape = shape_of(io::read_checkpoint(file), file.string());
    EXPECT_EQ(shape.features, expected.features);
    EXPECT_EQ(shape.feature_hidden, expected.feature_hidden);
    EXPECT_EQ(shape.hidden.to_string(), expected.hidden.to_string());
    EXPECT_EQ(shape.layers, expected.layers);
    EXPECT_EQ(shape.output, expected.output);
    EXPECT_EQ(shape.radial_basis.functions, expected.radial_basis.functions);
    EXPECT_EQ(shape.radial_hidden, expected.radial_hidden);
    EXPECT_EQ(shape.gate, expected.gate);
    EXPECT_EQ(shape.multi_hop, expected.multi_hop);
    EXPECT_EQ(shape.nonbonded, expected.nonbonded);
    EXPECT_EQ(shape.layer_norm, expected.layer_norm);
    EXPECT_EQ(shape.pooling, expected.pooling);
    ASSERT_EQ(shape.third.has_value(), expected.third.has_value());
    if (shape.third) {
      EXPECT_EQ(shape.third->improved_layers, expected.third->improved_layers);
      EXPECT_EQ(shape.third->enhanced_invariants, expected.third->enhanced_invariants);
      EXPECT_EQ(shape.heads, expected.heads);
    }
  }
  EXPECT_GE(states.size(), 2U);
  io::TensorMap state = io::read_checkpoint(reference_data("pocket/v2_small_state.pt"));
  state.erase("bonded_mp_layers.0.radial_mlp.4.weight");
  EXPECT_THROW(shape_of(state, "cut.pt"), InputError);
}

}  // namespace
}  // namespace molgauge::pocket
