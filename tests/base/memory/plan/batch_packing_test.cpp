#include "base/memory/plan/batch_packing.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::memory {
namespace {

using testing::ElementsAre;

TEST(LargestFirst, KeepsTheOrderOfEqualItems) {
  const std::vector<ItemSize> items = {{5, 8}, {9, 2}, {5, 8}, {5, 9}};
  EXPECT_THAT(largest_first(items), ElementsAre(1, 3, 0, 2));
}

BatchFits at_most(std::uint64_t tokens) {
  return [tokens](std::span<const ItemSize> batch) { return packed_cost(batch).tokens <= tokens; };
}

TEST(BatchCounts, FillsEveryBatch) {
  const std::vector<ItemSize> items = {{6, 0}, {5, 0}, {4, 0}, {3, 0}, {2, 0}, {1, 0}, {1, 0}};
  EXPECT_THAT(batch_counts(items, at_most(10)), ElementsAre(1, 2, 4));
  EXPECT_THAT(batch_counts(items, at_most(100)), ElementsAre(7));
}

TEST(BatchCounts, LeavesWhatDoesNotFitByItself) {
  const std::vector<ItemSize> items = {{60, 0}, {5, 0}};
  EXPECT_THAT(batch_counts(items, at_most(10)), ElementsAre(1, 1));
  EXPECT_TRUE(batch_counts({}, at_most(10)).empty());
}

TEST(BatchCounts, AgreesWithTakingOneByOne) {
  std::vector<ItemSize> items(1000);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].tokens = 1 + (items.size() - i) * 7 % 90;
  }
  const std::vector<std::size_t> counts = batch_counts(items, at_most(333));
  std::size_t first = 0;
  for (const std::size_t count : counts) {
    const std::span<const ItemSize> rest = std::span<const ItemSize>(items).subspan(first);
    EXPECT_LE(packed_cost(rest.first(count)).tokens, 333U);
    if (count < rest.size()) {
      EXPECT_GT(packed_cost(rest.first(count + 1)).tokens, 333U);
    }
    first += count;
  }
  EXPECT_EQ(first, items.size());
}

}  // namespace
}  // namespace molgauge::memory
