#include <numeric>

#include <gtest/gtest.h>

#include "core/numpy_random.h"
#include "core/python_random.h"
#include "datasets/pair_sampler.h"
#include "io/npz.h"
#include "reference_tables.h"
#include "support/fixtures.h"

namespace headroom::datasets {
namespace {

/// Name of the list, its length, the position of its draw.
struct Draw {
  const char* name;
  std::size_t population;
  std::uint64_t position;
};

TEST(SamplingParity, ChoicesEqualNumpysNumberForNumber) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  const auto arrays = io::read_npz(test::reference_data("ood/sampling.npz"));
  for (const Draw& draw : std::initializer_list<Draw>{{"train_id", 41349, 0},
                                                      {"train_ood", 9000, 1},
                                                      {"val_id", 13000, 2},
                                                      {"val_ood", 2251, 3},
                                                      {"test_id", 13800, 4},
                                                      {"test_ood", 13795, 5},
                                                      {"good_train_id", 24682, 0}}) {
    const auto expected = test::to_rows(
        arrays.at(std::string(draw.name) + ".raw" + std::to_string(draw.population) + ".seed42"));
    EXPECT_EQ(NumpyRandom(42 + draw.position).choose(draw.population, expected.size()), expected)
        << draw.name;
  }
}

TEST(SamplingParity, ShuffleEqualsPythonsNumberForNumber) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  const auto expected =
      test::to_rows(io::read_npz(test::reference_data("ood/sampling.npz"), "ood_shuffle.n11251.seed42"));
  std::vector<std::size_t> order(11251);
  std::iota(order.begin(), order.end(), std::size_t{0});
  PythonRandom(42).shuffle(order);
  EXPECT_EQ(order, expected);
}

TEST(SamplingParity, TrainingPairsEqualTheReferencePairForPair) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  for (const std::uint64_t seed : {1, 38}) {
    const auto columns = test::to_rows(io::read_npz(
        test::reference_data("ood/sampling.npz"), "train_pairs.id2000.ood1500.seed" + std::to_string(seed)));
    PairSampler sampler(2000, 1500, seed);
    const PairBatch batch = sampler.draw(sampler.epoch_length());
    ASSERT_EQ(columns.size(), 2 * batch.id.size());
    for (std::size_t pair = 0; pair < batch.id.size(); ++pair) {
      ASSERT_EQ(batch.id[pair], columns[2 * pair]) << "seed " << seed << ", pair " << pair;
      ASSERT_EQ(batch.ood[pair], columns[2 * pair + 1]) << "seed " << seed << ", pair " << pair;
    }
  }
}

/// What ood/validation.h promises: item i is the i-th row of each side, as far as both go.
TEST(SamplingParity, ValidationPairsAreTheRowsOfEqualNumber) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  const auto columns =
      test::to_rows(io::read_npz(test::reference_data("ood/sampling.npz"), "eval_pairs.id7.ood5"));
  EXPECT_EQ(columns, (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
}

}  // namespace
}  // namespace headroom::datasets
