#include "base/memory/recover/portion_size.h"

#include <gtest/gtest.h>

namespace molgauge::memory {
namespace {

std::uint64_t quadratic(std::size_t units) { return units * units; }

TEST(PortionSize, ShrinksToWhatTheModelSaysFits) {
  PortionSize size(1000, 1, quadratic);
  size.shrink(1000, {.portions = 1, .projected = 1'000'000, .needed = 1'000'000, .room = 250'000});
  EXPECT_EQ(size.now(), 500U);
}

TEST(PortionSize, SharesTheRoomAmongThoseWhoWorkSideBySide) {
  PortionSize size(1000, 1, quadratic);
  size.shrink(1000, {.portions = 4, .projected = 4'000'000, .needed = 2'000'000, .room = 360'000});
  EXPECT_EQ(size.now(), 300U);
}

TEST(PortionSize, ScalesAModelThatBelievedItWouldFit) {
  PortionSize size(1000, 1, {});
  size.shrink(1000, {.portions = 1, .projected = 1000, .needed = 8000, .room = 4500});
  EXPECT_EQ(size.now(), 500U);  // a unit needs 8 bytes, plus a margin of an eighth
}

TEST(PortionSize, ScalesMoreWithEveryShortageInARow) {
  PortionSize size(1 << 20, 1, {});
  std::size_t shortages = 0;
  // In this test, memory always runs out as early as possible. The known need is then only a little more than
  // the available memory.
  while (size.now() > 1) {
    const std::size_t units = size.now();
    size.shrink(units, {.portions = 1, .projected = units, .needed = 101, .room = 100});
    EXPECT_LT(size.now(), units);
    ++shortages;
  }
  EXPECT_LT(shortages, 30U);
}

TEST(PortionSize, HalvesTheBytesWhereNothingIsKnown) {
  PortionSize size(1000, 1, quadratic);
  size.shrink(1000, {.portions = 1, .projected = 1'000'000});
  EXPECT_EQ(size.now(), 707U);
}

TEST(PortionSize, NeverFallsBelowTheSmallest) {
  PortionSize size(64, 16, {});
  size.shrink(64, {.portions = 1, .projected = 64, .needed = 1'000'000, .room = 1});
  EXPECT_EQ(size.now(), 16U);
  size.shrink(16, {.portions = 1, .projected = 16, .needed = 1'000'000, .room = 1});
  EXPECT_EQ(size.now(), 16U);
}

TEST(PortionSize, GrowsBackCautiously) {
  PortionSize size(1000, 1, {});
  size.shrink(1000, {.portions = 1, .projected = 1000});
  ASSERT_EQ(size.now(), 500U);
  const auto successes_to_grow = [&] {
    const std::size_t before = size.now();
    std::size_t count = 0;
    for (; size.now() == before; ++count) {
      size.succeeded(before);
    }
    return count;
  };
  const std::size_t first = successes_to_grow();
  EXPECT_GE(first, 16U);
  EXPECT_EQ(size.now(), 562U);
  size.shrink(562, {.portions = 1, .projected = 562});  // memory ran out after the growth
  EXPECT_EQ(successes_to_grow(), 2 * first);
}

TEST(PortionSize, DoesNotGrowByPortionsThatSayNothing) {
  PortionSize size(1000, 1, {});
  size.shrink(1000, {.portions = 1, .projected = 1000});
  for (int i = 0; i < 1000; ++i) {
    size.succeeded(10);
  }
  EXPECT_EQ(size.now(), 500U);
}

TEST(PortionSize, NeverGrowsBeyondThePlan) {
  PortionSize size(10, 1, {});
  size.shrink(10, {.portions = 1, .projected = 10});
  for (int i = 0; i < 10'000; ++i) {
    size.succeeded(size.now());
  }
  EXPECT_EQ(size.now(), 10U);
}

}  // namespace
}  // namespace molgauge::memory
