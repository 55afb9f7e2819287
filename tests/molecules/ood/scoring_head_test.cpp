#include "molecules/ood/head/scoring_head.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "molecules/ood/head/head_pass.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/head/validation.h"

namespace molgauge::ood {
namespace {

/// The width of MiniMol, the default hidden width, and widths that do not fill a vector.
const std::vector<std::pair<std::int64_t, std::int64_t>> kWidths = {{512, 256}, {37, 22}};

TEST(ScoringHead, EqualsTheHeadsOwnForwardPass) {
  for (const auto& [width, hidden] : kWidths) {
    const EnergyHead head(width, hidden, 1);
    const at::Tensor rows = at::randn({70, width});
    EXPECT_TRUE(at::allclose(TensorScoring(head).energies(rows), head.forward(rows).detach(), 1e-5, 1e-6));
  }
}

TEST(ScoringHead, ARowHasTheSameEnergyAnywhereInABatchOfAnySize) {
  for (const auto& [width, hidden] : kWidths) {
    const EnergyHead head(width, hidden, 1);
    const at::Tensor row = at::randn({1, width});
    const auto alone = score_features(head, row, 1).energies.front();
    for (const std::int64_t rows : {2, 7, 16, 48, 49, 1100, 1563}) {
      for (const std::size_t batch_size : {1U, 5U, 64U, 2000U}) {
        const std::vector<float> scores =
            score_features(head, row.expand({rows, width}), batch_size).energies;
        EXPECT_TRUE(std::all_of(scores.begin(), scores.end(), [&](float score) { return score == alone; }))
            << rows << " rows in batches of " << batch_size;
      }
    }
  }
}

TEST(ScoringHead, OrderAndThreadsChangeNoByte) {
  const EnergyHead head(512, 256, 3);
  const at::Tensor rows = at::randn({1500, 512});
  train::PassPlan one, three;
  three.threads = 3;
  three.shards_at_once = 2;
  const at::Tensor expected = TensorScoring(head).energies(rows, one);
  std::mt19937 random(1);
  for (int trial = 0; trial < 10; ++trial) {
    const at::Tensor drawn = at::randperm(1 + static_cast<std::int64_t>(random() % 1500));
    const at::Tensor energies = TensorScoring(head).energies(rows.index_select(0, drawn), three);
    EXPECT_TRUE(at::equal(energies, expected.index_select(0, drawn))) << drawn.size(0) << " rows";
  }
}

/// Equal molecules on both sides. Any AUROC other than 0.5 would be a rounding error.
TEST(ScoringHead, EqualRowsAreNotToldApart) {
  const EnergyHead head(512, 256, 1);
  const at::Tensor row = at::randn({1, 512});
  for (const std::int64_t id_rows : {1, 3, 20, 700}) {
    const at::Tensor id = row.repeat({id_rows, 1}), ood = row.repeat({id_rows + 5, 1});
    for (const std::size_t batch_size : {2U, 7U, 500U}) {
      EXPECT_EQ(validate_head(head, id, ood, {}, batch_size, 2).metrics.auroc, 0.5);
      EXPECT_EQ(evaluate_head(head, id, ood, batch_size).metrics.auroc, 0.5);
    }
  }
}

}  // namespace
}  // namespace molgauge::ood
