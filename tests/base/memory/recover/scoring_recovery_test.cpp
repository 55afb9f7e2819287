#include <gtest/gtest.h>

#include "base/core/session/log.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/head/validation.h"
#include "refused_allocations.h"

namespace molgauge::ood {
namespace {

class ScoringRecovery : public testing::Test {
 protected:
  void SetUp() override {
    set_log_level(LogLevel::off);
    torch::cpu_tensor_memory();
  }
  const EnergyHead head_{16, 8, 1};
  const at::Tensor id_ = at::randn({3000, 16}), ood_ = at::randn({2100, 16});
};

TEST_F(ScoringRecovery, ScoresAreThoseOfAnUndisturbedRunWhateverAllocationIsRefused) {
  Evaluation expected;
  const auto score = [&] { return evaluate_head(head_, id_, ood_, 1200); };
  const std::uint64_t allocations = test::count_allocations([&] { expected = score(); });
  EXPECT_EQ(expected.memory.recoveries, 0U);
  test::refuse_each(allocations, 60, [&](std::uint64_t) {
    const Evaluation actual = score();
    EXPECT_EQ(actual.memory.recoveries, 1U);
    EXPECT_TRUE(actual.id_scores == expected.id_scores);
    EXPECT_TRUE(actual.ood_scores == expected.ood_scores);
  });
}

TEST_F(ScoringRecovery, ValidationIsThatOfAnUndisturbedRunWhateverAllocationIsRefused) {
  for (const Loss kind : {Loss::dpo, Loss::hinge}) {
    Validation expected;
    const auto validate = [&] { return validate_head(head_, id_, ood_, LossOptions{{}, kind}, 700, 2); };
    const std::uint64_t allocations = test::count_allocations([&] { expected = validate(); });
    test::refuse_each(allocations, 40, [&](std::uint64_t) {
      const Validation actual = validate();
      EXPECT_EQ(actual.loss, expected.loss);
      EXPECT_EQ(actual.energy_separation, expected.energy_separation);
      EXPECT_EQ(actual.metrics.auroc, expected.metrics.auroc);
    });
  }
}

TEST_F(ScoringRecovery, ABudgetIsKeptByScoringLessAtOnce) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const Evaluation expected = evaluate_head(head_, id_, ood_, 3000);
  meter.reset_peak();
  // The layers of a shard take 33 KiB. All five shards of a batch in parallel take 165 KiB.
  const std::uint64_t limit = meter.allocated_bytes() + (64U << 10U);
  const memory::AllocationLimit budget(meter, limit);
  const Evaluation actual = evaluate_head(head_, id_, ood_, 3000);
  EXPECT_TRUE(actual.id_scores == expected.id_scores);
  EXPECT_LE(meter.peak_bytes(), limit);
}

}  // namespace
}  // namespace molgauge::ood
