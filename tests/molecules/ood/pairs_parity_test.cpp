// Compares the pairs in training and in validation with the reference data in data/ood. Section 8 of the
// README there describes the data.

#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/ood/head/validation.h"
#include "molecules/ood/run/training_pairs.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

/// The arrays of sampling.npz whose names have this prefix. An array contains pairs of row numbers (ID, OOD)
/// in the shape [items, 2].
std::map<std::string, at::Tensor> reference_pairs(const std::string& prefix) {
  std::map<std::string, at::Tensor> pairs;
  for (const auto& [name, array] : io::read_npz(test::reference_data("ood/sampling.npz"))) {
    if (name.starts_with(prefix)) {
      pairs.emplace(name, torch::from_file(array).to(at::kLong));
    }
  }
  EXPECT_FALSE(pairs.empty()) << "sampling.npz has no array " << prefix << "*";
  return pairs;
}

TEST(PairsParity, TrainingPairsEqualTheReferencePairForPair) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  for (const auto& [name, expected] : reference_pairs("train_pairs.")) {
    SCOPED_TRACE(name);
    TrainingPairs pairs(test::number_after(".id", name), test::number_after(".ood", name),
                        test::number_after(".seed", name));
    const TrainingPairs::Batch batch = pairs.draw(pairs.epoch_items());
    EXPECT_TRUE(at::equal(at::stack({at::tensor(batch.id), at::tensor(batch.ood)}, 1), expected));
  }
}

/// For each batch, the loss over all rows of two sides equals the loss over the reference pairs.
TEST(PairsParity, ValidationLooksAtThePairsOfTheReference) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  for (const auto& [name, pairs] : reference_pairs("eval_pairs.")) {
    const auto numbered = [](std::size_t rows, float first) {
      const auto count = static_cast<std::int64_t>(rows);
      return (at::arange(count, at::kFloat) + first).square().sin().unsqueeze(1).repeat({1, 4});
    };
    const at::Tensor id = numbered(test::number_after(".id", name), 1);
    const at::Tensor ood = numbered(test::number_after(".ood", name), 100);
    const EnergyHead head(4, 8, 1);
    for (const std::size_t batch_size : {1U, 2U, 100U}) {
      SCOPED_TRACE(name + ", batches of " + std::to_string(batch_size));
      const Validation found = validate_head(head, id, ood, {}, batch_size, 1);
      const Validation expected = validate_head(head, id.index_select(0, pairs.select(1, 0)),
                                                ood.index_select(0, pairs.select(1, 1)), {}, batch_size, 1);
      EXPECT_EQ(found.loss, expected.loss);
      EXPECT_EQ(found.energy_separation, expected.energy_separation);
      EXPECT_EQ(found.metrics.auroc, expected.metrics.auroc);
    }
  }
}

}  // namespace
}  // namespace molgauge::ood
