// Compares joined pockets with single pockets: their rows, their gradients, and the number of operators that
// a training step calls.

#include <memory>
#include <span>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/kernel_choice.h"
#include "made_up_set.h"
#include "pockets/array_operators.h"
#include "pockets/graphs/join.h"
#include "pockets/training/parameters.h"
#include "pockets/training/pocket_batch.h"
#include "support/fixtures.h"
#include "support/operator_calls.h"

namespace molgauge::pocket {
namespace {

EncoderShape small_shape() {
  EncoderShape shape;
  shape.hidden = ops::Irreps::parse("8x0e + 4x1o + 2x2e");
  shape.output = 8;
  shape.layers = 2;
  shape.radial_hidden = 16;
  shape.layer_norm = true;
  return shape;
}

LoadedPockets some_pockets(std::int64_t count) {
  LoadedPockets pockets;
  for (std::int64_t i = 0; i < count; ++i) {
    pockets.push_back(std::make_shared<const Batch>(
        arrange(test::made_up_pocket(9 + 3 * (i % 4), 0.1 * static_cast<double>(i), 0.2, 5 + i), "made up")));
  }
  return pockets;
}

class Joined : public testing::Test {
 protected:
  Joined() {
    options_.shape = small_shape();
    options_.dropout = 0.1;
    options_.loss.kind = PocketLoss::mse;
    parameters_ = draw_parameters(options_.shape, 3);
  }

  /// Takes a step with the given minimum number of pockets in a shard. Returns the gradients.
  std::vector<at::Tensor> step(const LoadedPockets& pockets, std::int64_t least_rows) {
    take_step(pockets, least_rows);
    std::vector<at::Tensor> gradients;
    for (const train::Parameter& parameter : parameters_) {
      gradients.push_back(parameter.value.grad().clone());
    }
    return gradients;
  }
  void take_step(const LoadedPockets& pockets, std::int64_t least_rows) {
    const auto count = static_cast<std::int64_t>(pockets.size());
    PocketBatch::Work work{.parameters = parameters_,
                           .sizes = {count},
                           .targets = ops::Floats::zeros({count, options_.shape.output}),
                           .pockets = pockets,
                           .keys = {}};
    for (std::int64_t i = 0; i < count; ++i) {
      work.keys.push_back(100 + i);
      work.targets.data()[i * options_.shape.output + i % 8] = 1;
    }
    PocketBatch batch(std::move(work), options_, sums_);
    train::PassPlan plan;
    plan.least_rows = least_rows;
    batch.forward(plan);
    batch.backward(1);
  }

  std::size_t launches(std::int64_t pockets) {
    const LoadedPockets loaded = some_pockets(pockets);
    const torch::KernelsOnCpu code_of_gpus;
    const test::OperatorCalls calls;
    take_step(loaded, pockets);
    return calls.launches();
  }

  TrainingOptions options_;
  std::vector<train::Parameter> parameters_;
  EpochSums sums_;
};

TEST_F(Joined, RowsAreThoseOfSinglePockets) {
  const Encoder<ArrayOperators> encoder = array_encoder(options_.shape, parameters_);
  const LoadedPockets pockets = some_pockets(5);
  const Batch joined = join(pockets);
  EXPECT_EQ(joined.pockets.count(), 5);
  const ops::Floats rows = encoder.forward(as_arrays(joined));
  for (std::size_t i = 0; i < pockets.size(); ++i) {
    const ops::Floats row = encoder.forward(as_arrays(*pockets[i]));
    for (std::int64_t k = 0; k < row.width(); ++k) {
      EXPECT_EQ(rows.data()[static_cast<std::int64_t>(i) * rows.width() + k], row.data()[k]) << i << " " << k;
    }
  }
}

TEST_F(Joined, GradientsAreTheSumsOfSinglePockets) {
  LoadedPockets pockets = some_pockets(5);
  // A pocket without pairs, angles and dihedrals must not get any from its neighbours in the batch.
  Pockets bare = test::made_up_pocket(7, 0, 0.1, 3);
  for (Terms* terms : {&bare.pairs, &bare.angles, &bare.dihedrals}) {
    *terms = {ops::Integers{terms->atoms.size(0), 0}, ops::Floats{0, terms->attributes.width()}};
  }
  pockets.insert(pockets.begin() + 2, std::make_shared<const Batch>(arrange(bare, "bare")));
  const std::vector<at::Tensor> single = step(pockets, 1), joined = step(pockets, 6);
  // Gradients of the pockets may cancel in the sum, but their rounding errors do not.
  std::vector<double> scales(single.size());
  for (const auto& pocket : pockets) {
    const std::vector<at::Tensor> own = step({pocket}, 1);
    for (std::size_t p = 0; p < single.size(); ++p) {
      scales[p] += own[p].abs().max().item<double>();
    }
  }
  for (std::size_t p = 0; p < single.size(); ++p) {
    EXPECT_LE((joined[p] - single[p]).abs().max().item<double>(), 1e-5 * scales[p] + 1e-7)
        << parameters_[p].name;
  }
}

/// The code of GPUs computes the gradients of the operators on the CPU. Sums have another order. The variance
/// of a channel amplifies the rounding errors.
TEST_F(Joined, GradientsOfKernelsAreThoseOfOperators) {
  const LoadedPockets pockets = some_pockets(5);
  for (const auto channel_norm : {ops::ChannelNorm::length, ops::ChannelNorm::variance}) {
    options_.shape.channel_norm = channel_norm;
    const std::vector<at::Tensor> expected = step(pockets, 5);
    const torch::KernelsOnCpu code_of_gpus;
    const std::vector<at::Tensor> found = step(pockets, 5), again = step(pockets, 5);
    for (std::size_t p = 0; p < expected.size(); ++p) {
      const double scale = expected[p].abs().max().item<double>();
      EXPECT_LE((found[p] - expected[p]).abs().max().item<double>(), 2e-4 * scale + 1e-6)
          << parameters_[p].name;
      EXPECT_TRUE(at::equal(found[p], again[p])) << parameters_[p].name;
    }
  }
}

TEST_F(Joined, LaunchesDoNotGrowWithTheNumberOfPockets) {
  const std::size_t of_two = launches(2);
  EXPECT_GT(of_two, 50U);
  RecordProperty("launches", static_cast<int>(of_two));
  EXPECT_LE(of_two, 420U);
  EXPECT_EQ(launches(8), of_two);
  EXPECT_EQ(launches(20), of_two);
}

TEST_F(Joined, OnlyGpusJoinPockets) {
  const test::TemporaryFolder folder;
  const io::KeyedRows targets = test::make_up_set(folder / "graphs", 4, 2, 100, 100, 8);
  const GraphSet graphs = GraphSet::open(folder / "graphs");
  const TrainingData data{&graphs, graphs.normalization(), &targets, {{0, 0}, {1, 0}, {2, 1}}, {{3, 1}}};
  EXPECT_EQ(pockets_of_a_shard(data, {}), 1);
  EXPECT_EQ(pockets_of_a_shard(data, {.gpu = 0}), 20);
}

}  // namespace
}  // namespace molgauge::pocket
