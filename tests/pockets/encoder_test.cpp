// Tests the pocket encoder: invariances of its rows, comparison of arrays with tensors, refusals.

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/torch/device.h"
#include "pockets/array_operators.h"
#include "pockets/tensor_encoder.h"
#include "pockets/tensor_operators.h"
#include "tensors.h"

namespace molgauge::pocket {
namespace {

using ::testing::HasSubstr;
using Row = std::vector<std::int64_t>;

/// Terms with random attributes. `atoms` holds the atoms of each term.
Terms terms_of(const std::vector<Row>& atoms, std::int64_t places, std::int64_t attributes) {
  const auto count = static_cast<std::int64_t>(atoms.size());
  Terms terms{ops::Integers{places, count}, test::floats_of(at::rand({count, attributes}))};
  for (std::int64_t term = 0; term < count; ++term) {
    for (std::int64_t place = 0; place < places; ++place) {
      terms.atoms.data()[place * count + term] =
          atoms[static_cast<std::size_t>(term)][static_cast<std::size_t>(place)];
    }
  }
  return terms;
}

/// Chains of atoms with unbonded side atoms, and pairs within 4 Angstrom.
Pockets made_up(const std::vector<std::int64_t>& sizes) {
  const std::int64_t atoms = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  at::Tensor positions = at::randn({atoms, 3});
  std::vector<Row> bonds, angles, dihedrals, pairs;
  std::int64_t first = 0;
  for (const std::int64_t size : sizes) {
    for (std::int64_t i = first; i + 1 < first + size - 2; ++i) {
      positions[i + 1] += positions[i] * 0.8 + 0.7;
      bonds.push_back({i, i + 1});
      bonds.push_back({i + 1, i});
      if (i > first) {
        angles.push_back({i - 1, i, i + 1});
      }
      if (i > first + 1) {
        dihedrals.push_back({i - 2, i - 1, i, i + 1});
      }
    }
    for (std::int64_t i = first; i < first + size; ++i) {
      for (std::int64_t j = first; j < first + size; ++j) {
        if (std::abs(i - j) > 1 && (positions[i] - positions[j]).norm().item<double>() < 4) {
          pairs.push_back({i, j});
        }
      }
    }
    first += size;
  }
  return {.features = test::floats_of(at::randn({atoms, 3})),
          .positions = test::floats_of(positions),
          .bonds = terms_of(bonds, 2, 2),
          .angles = terms_of(angles, 3, 2),
          .dihedrals = terms_of(dihedrals, 4, 3),
          .pairs = terms_of(pairs, 2, 3),
          .sizes = sizes};
}

EncoderShape shape_with_norm() {
  EncoderShape shape;
  shape.hidden = ops::Irreps::parse("8x0e + 4x1o + 2x2e");
  shape.output = 16;
  shape.layers = 2;
  shape.radial_hidden = 24;
  shape.layer_norm = true;
  return shape;
}

using Parameters = std::map<std::string, at::Tensor>;

at::Tensor draw(const std::string& name, const std::vector<std::int64_t>& shape) {
  const bool is_norm = name.find("layer_norm.weight") != std::string::npos;
  return is_norm ? at::ones(shape) : at::randn(shape) * (shape.size() == 2 ? 1 / std::sqrt(shape[1]) : 0.7);
}

Encoder<ArrayOperators> encoder_of(const EncoderShape& shape, Parameters& parameters) {
  return Encoder<ArrayOperators>(shape, [&](const std::string& name, const std::vector<std::int64_t>& sizes) {
    parameters.try_emplace(name, draw(name, sizes));
    const at::Tensor& own = parameters.at(name);
    return test::floats_of(own.dim() == 0 ? own.view({1}) : own);
  });
}

at::Tensor rows_of(const Encoder<ArrayOperators>& encoder, const Pockets& pockets) {
  return torch::as_tensor(encoder.forward(as_arrays(arrange(pockets, "pockets"))));
}

double difference(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

TEST(PocketEncoder, SpaceMayTurnMoveAndBeMirrored) {
  Parameters parameters;
  const auto encoder = encoder_of(shape_with_norm(), parameters);
  Pockets pockets = made_up({20, 31});
  const at::Tensor before = rows_of(encoder, pockets), positions = torch::as_tensor(pockets.positions);
  const double a = 1.1;
  const at::Tensor turn = at::tensor({std::cos(a), -std::sin(a), 0.0, 0.6 * std::sin(a), 0.6 * std::cos(a),
                                      -0.8, 0.8 * std::sin(a), 0.8 * std::cos(a), 0.6})
                              .view({3, 3})
                              .to(at::kFloat);
  for (const at::Tensor& change : {turn, -turn}) {
    pockets.positions = test::floats_of(at::matmul(positions, change.t()) + 3);
    EXPECT_LE(difference(rows_of(encoder, pockets), before), 1e-5);
  }
  pockets.positions = test::floats_of(positions * 1.1);
  EXPECT_GT(difference(rows_of(encoder, pockets), before), 1e-3) << "shapes must matter";
}

/// The option for old checkpoints makes the layer norm depend on the axes.
TEST(PocketEncoder, TheOldNormDependsOnTheAxes) {
  Parameters parameters;
  EncoderShape shape = shape_with_norm();
  shape.channel_norm = ops::ChannelNorm::variance;
  const auto encoder = encoder_of(shape, parameters);
  Pockets pockets = made_up({25});
  const at::Tensor before = rows_of(encoder, pockets), positions = torch::as_tensor(pockets.positions);
  const at::Tensor turn = at::tensor({0.6F, -0.8F, 0.0F, 0.8F, 0.6F, 0.0F, 0.0F, 0.0F, 1.0F}).view({3, 3});
  pockets.positions = test::floats_of(at::matmul(positions, turn.t()));
  EXPECT_GT(difference(rows_of(encoder, pockets), before), 1e-3);
}

TEST(PocketEncoder, AtomsAndTermsMayBeRenumbered) {
  Parameters parameters;
  const auto encoder = encoder_of(shape_with_norm(), parameters);
  const Pockets pockets = made_up({28});
  const at::Tensor order = at::randperm(28, at::kLong),
                   place = at::empty_like(order).scatter_(0, order, at::arange(28, at::kLong));
  Pockets other = pockets;
  other.features = test::floats_of(torch::as_tensor(pockets.features).index_select(0, order));
  other.positions = test::floats_of(torch::as_tensor(pockets.positions).index_select(0, order));
  for (Terms* terms : {&other.bonds, &other.angles, &other.dihedrals, &other.pairs}) {
    const at::Tensor mixed = at::randperm(terms->count(), at::kLong);
    const at::Tensor atoms = torch::as_tensor(terms->atoms).index_select(1, mixed);
    terms->atoms = test::integers_of(place.index_select(0, atoms.reshape({-1})).view_as(atoms));
    terms->attributes = test::floats_of(torch::as_tensor(terms->attributes).index_select(0, mixed));
  }
  EXPECT_LE(difference(rows_of(encoder, other), rows_of(encoder, pockets)), 1e-5);
}

TEST(PocketEncoder, TensorsAreTheArrays) {
  for (const bool gate : {true, false}) {
    for (const bool norm : {true, false}) {
      for (const Pooling pooling : {Pooling::attention, Pooling::mean, Pooling::sum, Pooling::max}) {
        EncoderShape shape = shape_with_norm();
        shape.gate = gate;
        shape.layer_norm = norm;
        shape.pooling = pooling;
        Parameters parameters;
        const auto plain = encoder_of(shape, parameters);
        const Pockets pockets = made_up({12, 20});
        const Encoder<TensorOperators> encoder(
            shape, [&](const std::string& name, const auto&) { return parameters.at(name); });
        EXPECT_LE(
            difference(encoder.forward(as_tensors(arrange(pockets, "pockets"))), rows_of(plain, pockets)),
            2e-5);
      }
    }
  }
}

TEST(PocketEncoder, DropoutIsOfScalarsAndRepeatable) {
  Parameters parameters;
  encoder_of(shape_with_norm(), parameters);
  const Encoder<TensorOperators> encoder(
      shape_with_norm(), [&](const std::string& name, const auto&) { return parameters.at(name); });
  const auto batch = as_tensors(arrange(made_up({12, 20}), "pockets"));
  const torch::KeyedDropout dropout{at::arange(2, at::kLong), 0.3, 0};
  const at::Tensor once = encoder.forward(batch, dropout);
  EXPECT_TRUE(at::equal(once, encoder.forward(batch, dropout)));
  EXPECT_GT(difference(once, encoder.forward(batch)), 1e-3);
}

TEST(PocketEncoder, HiddenIrrepsBeginWithScalars) {
  for (const char* hidden : {"4x1o + 2x0e", "4x0o + 2x1o", "4x0e + 2x1o + 1x0e"}) {
    EncoderShape shape = shape_with_norm();
    shape.hidden = ops::Irreps::parse(hidden);
    Parameters parameters;
    EXPECT_THROW(encoder_of(shape, parameters), UsageError) << hidden;
  }
}

void expect_refused(const Pockets& pockets, const std::string& reason) {
  try {
    arrange(pockets, "1abc_LIG");
    FAIL() << "not refused: " << reason;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("1abc_LIG"));
    EXPECT_THAT(error.what(), HasSubstr(reason));
  }
}

TEST(PocketGraph, WhatIsNoPocketIsRefused) {
  const auto changed = [](const std::function<void(Pockets&)>& change) {
    Pockets pockets = made_up({10, 12});
    change(pockets);
    return pockets;
  };
  expect_refused(changed([](Pockets& p) { p.sizes = {10, 13}; }), "must be [23, 3]");
  expect_refused(changed([](Pockets& p) { p.sizes = {22, 0}; }), "no atoms");
  expect_refused(changed([](Pockets& p) { p.sizes = {}; }), "no atoms");
  expect_refused(changed([](Pockets& p) { p.positions.data()[7] = std::numeric_limits<float>::quiet_NaN(); }),
                 "positions: number 1 of row 2");
  expect_refused(changed([](Pockets& p) { p.angles.atoms.data()[0] = 22; }), "atom 22");
  expect_refused(changed([](Pockets& p) { p.angles.atoms.data()[0] = -1; }), "atom -1");
  expect_refused(changed([](Pockets& p) { p.bonds.atoms.data()[0] = 15; }), "two pockets");
  expect_refused(changed([](Pockets& p) {
                   p.pairs.attributes = ops::Floats::zeros({1, 3});
                 }),
                 "pairs must be");
  expect_refused(
      changed([](Pockets& p) { p.dihedrals.attributes.data()[0] = std::numeric_limits<float>::infinity(); }),
      "attributes of dihedrals");
}

/// Compares the rows of the encoder on plain arrays with the rows of the encoder for GPUs.
void expect_same_rows(c10::Device device) {
  EncoderShape third = shape_with_norm();
  third.third = V3Layers{.improved_layers = true, .enhanced_invariants = true};
  for (const EncoderShape& shape : {shape_with_norm(), third}) {
    Parameters parameters;
    const auto plain = encoder_of(shape, parameters);
    const PocketEncoder encode = make_tensor_encoder(
        shape,
        [&](const std::string& name, const std::vector<std::int64_t>&) {
          const at::Tensor& own = parameters.at(name);
          return test::floats_of(own.dim() == 0 ? own.view({1}) : own);
        },
        device);
    const Pockets pockets = made_up({12, 20});
    EXPECT_LE(difference(torch::as_tensor(encode(arrange(pockets, "pockets"))), rows_of(plain, pockets)),
              1e-4);
  }
}

TEST(PocketEncoder, OfTensorsHasTheRowsOfPlainArrays) { expect_same_rows(c10::kCPU); }

TEST(PocketEncoder, OfAGpuHasTheRowsOfPlainArrays) {
  if (torch::gpu_count() == 0) {
    GTEST_SKIP() << "no GPU here that LibTorch can use";
  }
  expect_same_rows(c10::Device(c10::kCUDA, 0));
}

}  // namespace
}  // namespace molgauge::pocket
