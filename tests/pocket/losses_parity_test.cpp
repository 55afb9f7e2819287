// Losses, energies and the shapes of checkpoints against the public implementation, where the reference data
// are there.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "fixture_arrays.h"
#include "io/tensors/checkpoint.h"
#include "io/tensors/npz.h"
#include "pocket/encoder_shape.h"
#include "pocket/physics.h"
#include "pocket/training/losses.h"
#include "reference_batch.h"
#include "support/fixtures.h"
#include "torch/arrays.h"

namespace headroom::pocket {
namespace {

using test::floats_in;
using test::reference_data;

double number_in(const io::TensorMap& data, const std::string& name) {
  return data.at(name).to_float32().at(0);
}

TEST(PocketLossParity, ValuesMetricsAndGradients) {
  REQUIRE_REFERENCE("pocket/losses.npz");
  const io::TensorMap data = io::read_npz(reference_data("pocket/losses.npz"));
  const std::pair<const char*, LossOptions> losses[] = {
      {"mse", {.kind = LossKind::mse}},
      {"cosine", {.kind = LossKind::cosine}},
      {"cosine_mse", {.kind = LossKind::cosine_mse}},
      {"cosine_mse_cosine_weight0.4_mse_weight0.6",
       {.kind = LossKind::cosine_mse, .cosine_weight = 0.4, .mse_weight = 0.6}},
      {"infonce", {.kind = LossKind::infonce}},
      {"infonce_temperature0.2", {.kind = LossKind::infonce, .temperature = 0.2}}};
  const ops::Floats predicted = floats_in(data, "pred"), targets = floats_in(data, "target");
  for (const auto& [name, options] : losses) {
    SCOPED_TRACE(name);
    ops::Floats gradient(predicted.shape());
    const LossValue value = row_loss(options, predicted, targets, gradient.data());
    const std::string prefix = std::string(name) + "/";
    EXPECT_NEAR(value.loss, number_in(data, prefix + "loss"), 1e-6 * std::max(1.0, value.loss));
    EXPECT_NEAR(value.cosine, number_in(data, prefix + "metric/cosine_similarity"), 1e-6);
    EXPECT_NEAR(value.mse, number_in(data, prefix + "metric/mse_loss"), 1e-6 * value.mse);
    if (options.kind == LossKind::infonce) {
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

TEST(PocketShapeParity, CheckpointsTellTheirShape) {
  REQUIRE_REFERENCE("pocket/v3_small_state.pt");
  const auto shape_in = [](const char* name) {
    const auto file = reference_data(std::string("pocket/") + name);
    return shape_of(io::read_checkpoint(file), file.string());
  };
  const EncoderShape second = shape_in("v2_small_state.pt"), third = shape_in("v3_small_state.pt"),
                     basic = shape_in("v3_small_equivariant_state.pt");
  for (const EncoderShape* shape : {&second, &third, &basic}) {
    EXPECT_EQ(shape->hidden.to_string(), "8x0e + 4x1o + 2x2e");
    EXPECT_EQ(shape->layers, 2);
    EXPECT_EQ(shape->output, 32);
    EXPECT_EQ(shape->radial_basis.functions, 8);
    EXPECT_TRUE(shape->gate && shape->multi_hop && shape->nonbonded);
  }
  EXPECT_FALSE(second.third.has_value());
  EXPECT_EQ(second.pooling, Pooling::attention);
  EXPECT_TRUE(third.third->improved_layers && third.third->enhanced_invariants && third.layer_norm);
  EXPECT_EQ(third.heads, 4);
  EXPECT_TRUE(basic.third && !basic.third->improved_layers && !basic.layer_norm);
  io::TensorMap state = io::read_checkpoint(reference_data("pocket/v2_small_state.pt"));
  state.erase("bonded_mp_layers.0.radial_mlp.4.weight");
  EXPECT_THROW(shape_of(state, "cut.pt"), InputError);
}

}  // namespace
}  // namespace headroom::pocket
