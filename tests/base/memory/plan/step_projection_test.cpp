#include "base/memory/plan/step_projection.h"

#include <gtest/gtest.h>

namespace molgauge::memory {
namespace {

const std::vector<Cost> kCosts = {
    {2, 61, 1901, 130}, {3, 70, 1700, 144}, {5, 41, 361, 80}, {4, 90, 2300, 190}};

/// A probe of two tensors that never live at the same time. One grows with the tokens, and the other with the
/// pairs.
ProbedStep probe_of(const Cost& cost) {
  ProbedStep probe;
  probe.cost = cost;
  probe.resident_bytes = 1000;
  probe.peak_bytes = 1000 + std::max(400 * cost.tokens, 10 * cost.pairs);
  probe.events = {{false, 0, 400 * cost.tokens, AllocationTag::activations},
                  {true, 0, 400 * cost.tokens, AllocationTag::activations},
                  {false, 1, 10 * cost.pairs, AllocationTag::gradients},
                  {true, 1, 10 * cost.pairs, AllocationTag::gradients}};
  return probe;
}

std::vector<ProbedStep> probes() {
  std::vector<ProbedStep> probed;
  for (const Cost& cost : kCosts) {
    probed.push_back(probe_of(cost));
  }
  return probed;
}

TEST(StepProjection, FindsTheMomentThatIsHighestForABatch) {
  const auto projection = StepProjection::from_tapes(probes());
  ASSERT_TRUE(projection);
  EXPECT_TRUE(projection->is_exact());
  // In every probe the first tensor is the larger one.
  const Cost small{1, 10, 100, 20}, large{1, 1000, 1'000'000, 2000};
  EXPECT_EQ(projection->peak_bytes(small), 1000U + 4000U);
  EXPECT_EQ(projection->peak_bytes(large), 1000U + 10'000'000U);
  EXPECT_EQ(projection->held_bytes(large)[static_cast<std::size_t>(AllocationTag::gradients)], 10'000'000U);
  EXPECT_EQ(projection->held_bytes(large)[static_cast<std::size_t>(AllocationTag::kept)], 1000U);
}

TEST(StepProjection, TakesNoTapesThatDoNotMatch) {
  std::vector<ProbedStep> probed = probes();
  probed[1].events.pop_back();
  EXPECT_FALSE(StepProjection::from_tapes(probed));
  probed = probes();
  probed.resize(2);
  EXPECT_FALSE(StepProjection::from_tapes(probed)) << "nothing to try formulas on";
}

TEST(StepProjection, FitsAnEnvelopeToPeaks) {
  const StepProjection projection = StepProjection::from_peaks(probes());
  EXPECT_FALSE(projection.is_exact());
  for (const ProbedStep& probe : probes()) {
    EXPECT_GE(projection.peak_bytes(probe.cost) + 1, probe.peak_bytes);
  }
}

TEST(StepProjection, IsRaisedByWhatIsSeen) {
  StepProjection projection = *StepProjection::from_tapes(probes());
  const Cost cost{1, 10, 100, 20};
  projection.raise_to(cost, 9000);
  EXPECT_EQ(projection.peak_bytes(cost), 9000U);
  projection.raise_to(cost, 5000);
  EXPECT_EQ(projection.peak_bytes(cost), 9000U) << "never lowered";
  projection.raise_resident_to(1500);
  EXPECT_EQ(projection.peak_bytes(cost), 9500U);
}

}  // namespace
}  // namespace molgauge::memory
