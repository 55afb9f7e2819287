#include <gtest/gtest.h>

#include "invariants.h"
#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {
namespace {

class ExpandableSegments : public testing::Test {
 protected:
  Block* take(std::uint64_t mebibytes) { return allocator_.allocate(mebibytes * kMebibyte, 0); }
  std::uint64_t reserved() const { return allocator_.statistics().reserved.now / kMebibyte; }
  void TearDown() override { EXPECT_EQ(broken_invariant(allocator_), std::nullopt); }

  CachingAllocator allocator_{parse_allocator_settings("expandable_segments:True"), 200 * kMebibyte};
};

TEST_F(ExpandableSegments, MapsPagesOfTwentyMebibytes) {
  take(11);
  EXPECT_EQ(reserved(), 20U);
  take(11);
  EXPECT_EQ(reserved(), 40U) << "9 MiB were left of the first page";
  EXPECT_EQ(allocator_.segments().size(), 1U);
}

TEST_F(ExpandableSegments, MapsSmallPagesForSmallRequests) {
  allocator_.allocate(512, 0);
  EXPECT_EQ(reserved(), 2U);
}

TEST_F(ExpandableSegments, GrowsAFreeBlockInsteadOfTakingASegment) {
  allocator_.free(take(60));
  take(100);
  EXPECT_EQ(reserved(), 100U);
}

TEST_F(ExpandableSegments, UnmapsWholePagesOnly) {
  Block* const low = take(50);
  Block* const high = take(50);
  allocator_.free(low);
  allocator_.empty_cache();
  EXPECT_EQ(reserved(), 60U) << "the page that both share stays";
  allocator_.free(high);
  allocator_.empty_cache();
  EXPECT_EQ(reserved(), 0U);
  EXPECT_TRUE(allocator_.segments().empty());
}

TEST_F(ExpandableSegments, UsesHolesOfAddressesAgain) {
  Block* const low = take(40);
  const std::uint64_t address = low->address;
  take(40);
  allocator_.free(low);
  allocator_.empty_cache();
  EXPECT_EQ(take(30)->address, address);
}

TEST_F(ExpandableSegments, MovesPagesToTheEndUnderPressure) {
  Block* const low = take(80);
  take(40);
  allocator_.free(low);
  EXPECT_NE(take(140), nullptr) << "the 80 MiB in front are unmapped and mapped behind";
  EXPECT_EQ(reserved(), 180U);
  EXPECT_EQ(allocator_.statistics().retries, 1U);
}

TEST_F(ExpandableSegments, RunsOutWhenTheCardIsFull) {
  take(150);
  EXPECT_EQ(take(60), nullptr);
  EXPECT_NE(take(40), nullptr);
}

TEST_F(ExpandableSegments, EachStreamHasARegion) {
  allocator_.free(allocator_.allocate(40 * kMebibyte, 1));
  allocator_.allocate(40 * kMebibyte, 2);
  EXPECT_EQ(reserved(), 80U);
  EXPECT_EQ(allocator_.segments().size(), 2U);
}

}  // namespace
}  // namespace molgauge::allocator
