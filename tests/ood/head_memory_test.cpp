#include "ood/head_memory.h"

#include <gtest/gtest.h>

#include "ood/evaluation.h"
#include "ops/operator_threads.h"
#include "support/heap_peak.h"

namespace headroom::ood {
namespace {

TEST(ScoringBytes, AreBoundedWithoutBeingOverestimated) {
  if (!test::HeapPeak::can_be_measured()) {
    GTEST_SKIP() << "another heap stands in for the C library's";
  }
  constexpr double kTooHigh = 1.5;
  constexpr std::uint64_t kSmall = std::uint64_t{512} << 10;
  const ops::OperatorThreads one(1);
  for (const std::int64_t hidden : {256, 2048}) {
    for (const std::size_t batch : {64U, 1000U, 8000U}) {
      const EnergyHead head(512, hidden, 1);
      const at::Tensor features = at::randn({8000, 512});
      score_features(head, features.narrow(0, 0, 2), 2);  // what is made once
      const test::HeapPeak heap;
      score_features(head, features, batch);
      const std::uint64_t bound = scoring_bytes(head, batch, 1);
      EXPECT_LE(heap.bytes(), bound + kSmall) << hidden << " wide, batches of " << batch;
      EXPECT_LE(static_cast<double>(bound), kTooHigh * static_cast<double>(heap.bytes()) + kSmall)
          << hidden << " wide, batches of " << batch << ": too high, " << heap.bytes() << " are taken";
    }
  }
}

}  // namespace
}  // namespace headroom::ood
