#include "molecules/ood/head/evaluation.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "molecules/ood/head/energy_head.h"
#include "support/heap_peak.h"

namespace molgauge::ood {
namespace {

/// Memory that the kernels of a thread keep between calls.
std::uint64_t kernel_scratch(std::int64_t widest) {
  return static_cast<std::uint64_t>(4 * ops::cpu::kBlockRows * (std::max<std::int64_t>(512, widest) + 1)) *
         sizeof(float);
}

TEST(ScoringBytes, AreBoundedWithoutBeingOverestimated) {
  if (!test::HeapPeak::can_be_measured()) {
    GTEST_SKIP() << "another heap replaces the heap of the C library";
  }
  constexpr double kTooHigh = 1.5;
  constexpr std::uint64_t kSmall = std::uint64_t{512} << 10;
  for (const std::int64_t hidden : {256, 2048}) {
    for (const std::size_t batch : {64U, 1000U, 8000U}) {
      const ScoringHead head(EnergyHead(512, hidden, 1).weights());
      const auto features = ops::Floats::zeros({8000, 512});
      score_features(head, ops::Floats::zeros({2, 512}), 2, 1);  // initialises static data
      const test::HeapPeak heap;
      score_features(head, features, batch, 1);
      const std::uint64_t bound = scoring_bytes(512, hidden, batch, 1) - kernel_scratch(hidden);
      EXPECT_LE(heap.bytes(), bound + kSmall) << hidden << " wide, batches of " << batch;
      EXPECT_LE(static_cast<double>(bound), kTooHigh * static_cast<double>(heap.bytes()) + kSmall)
          << hidden << " wide, batches of " << batch << ": too high, " << heap.bytes() << " are taken";
    }
  }
}

}  // namespace
}  // namespace molgauge::ood
