#include "memgauge/simulator/caching_allocator.h"

#include <gtest/gtest.h>

#include "invariants.h"

namespace molgauge::allocator {
namespace {

void expect_sound(const CachingAllocator& allocator) { EXPECT_EQ(broken_invariant(allocator), std::nullopt); }

TEST(CachingAllocator, SplitsSmallBlocksAndMergesThemAgain) {
  CachingAllocator allocator({});
  Block* const first = allocator.allocate(100, 0);
  Block* const second = allocator.allocate(600, 0);
  EXPECT_EQ(second->address, first->address + 512);
  EXPECT_EQ(second->bytes, 1024U);
  EXPECT_EQ(allocator.statistics().requested.now, 700U);
  EXPECT_EQ(allocator.statistics().allocated.now, 1536U);
  allocator.free(first);
  allocator.free(second);
  expect_sound(allocator);
  EXPECT_EQ(allocator.small_pool().free_blocks().size(), 1U);
  EXPECT_EQ(allocator.largest_free_block(), 2 * kMebibyte);
}

TEST(CachingAllocator, KeepsALargeBlockWholeWhenLittleWouldBeLeft) {
  CachingAllocator allocator({});
  EXPECT_EQ(allocator.allocate(19 * kMebibyte, 0)->bytes, 20 * kMebibyte);
  EXPECT_EQ(allocator.allocate(5 * kMebibyte, 0)->bytes, 5 * kMebibyte);
  EXPECT_EQ(allocator.allocate(14 * kMebibyte, 0)->bytes, 15 * kMebibyte) << "1 MiB left is not split off";
  expect_sound(allocator);
}

TEST(CachingAllocator, TakesTheSmallestBlockThatFits) {
  CachingAllocator allocator({});
  Block* const large = allocator.allocate(60 * kMebibyte, 0);
  Block* const middle = allocator.allocate(40 * kMebibyte, 0);
  const std::uint64_t address = middle->address;
  allocator.free(large);
  allocator.free(middle);
  EXPECT_EQ(allocator.allocate(30 * kMebibyte, 0)->address, address);
}

TEST(CachingAllocator, NeverCrossesStreams) {
  CachingAllocator allocator({});
  allocator.free(allocator.allocate(60 * kMebibyte, 1));
  allocator.allocate(30 * kMebibyte, 2);
  EXPECT_EQ(allocator.statistics().reserved.now, 90 * kMebibyte);
  EXPECT_EQ(allocator.largest_free_block(), 60 * kMebibyte);
  expect_sound(allocator);
}

TEST(CachingAllocator, ReleasesItsCacheBeforeItGivesUp) {
  CachingAllocator allocator({}, 100 * kMebibyte);
  allocator.free(allocator.allocate(60 * kMebibyte, 0));
  EXPECT_NE(allocator.allocate(80 * kMebibyte, 0), nullptr);
  EXPECT_EQ(allocator.statistics().retries, 1U);
  EXPECT_EQ(allocator.statistics().reserved.now, 80 * kMebibyte);
  EXPECT_EQ(allocator.allocate(30 * kMebibyte, 0), nullptr);
  EXPECT_EQ(allocator.statistics().out_of_memory, 1U);
  EXPECT_EQ(allocator.device_free(), 20 * kMebibyte);
  expect_sound(allocator);
}

TEST(CachingAllocator, WaitsForOtherStreamsOnlyWhenItMust) {
  CachingAllocator allocator({}, 100 * kMebibyte);
  Block* const block = allocator.allocate(50 * kMebibyte, 0);
  allocator.request_free(block);
  EXPECT_EQ(allocator.statistics().allocated.now, 0U);
  EXPECT_EQ(allocator.statistics().active.now, 50 * kMebibyte);
  EXPECT_NE(allocator.allocate(50 * kMebibyte, 0), block) << "a pending block was given out";
  EXPECT_NE(allocator.allocate(50 * kMebibyte, 0), nullptr) << "pending blocks were not waited for";
  expect_sound(allocator);
  Block* const other = allocator.allocate(512, 0);
  EXPECT_EQ(other, nullptr);
}

TEST(CachingAllocator, CompletesAFreeOnce) {
  CachingAllocator allocator({});
  Block* const block = allocator.allocate(50 * kMebibyte, 0);
  allocator.request_free(block);
  allocator.complete_free(block);
  allocator.complete_free(block);
  EXPECT_EQ(allocator.statistics().active.now, 0U);
  expect_sound(allocator);
}

TEST(CachingAllocator, EmptyCacheCannotReleaseASplitSegment) {
  CachingAllocator allocator({});
  Block* const first = allocator.allocate(100 * kMebibyte, 0);
  allocator.free(first);
  Block* const pin = allocator.allocate(2 * kMebibyte, 0);
  allocator.empty_cache();
  EXPECT_EQ(allocator.statistics().reserved.now, 100 * kMebibyte);
  allocator.free(pin);
  allocator.empty_cache();
  EXPECT_EQ(allocator.statistics().reserved.now, 0U);
  EXPECT_TRUE(allocator.segments().empty());
}

TEST(CachingAllocator, ObeysTheMemoryFractionWithoutAskingTheDriver) {
  CachingAllocator allocator(parse_allocator_settings("per_process_memory_fraction:0.5"), 100 * kMebibyte);
  EXPECT_NE(allocator.allocate(50 * kMebibyte, 0), nullptr);
  EXPECT_EQ(allocator.allocate(2 * kMebibyte, 0), nullptr);
}

TEST(CachingAllocator, CollectsOldSegmentsAboveTheThreshold) {
  CachingAllocator allocator(
      parse_allocator_settings("per_process_memory_fraction:1.0,garbage_collection_threshold:0.5"),
      100 * kMebibyte);
  Block* const old = allocator.allocate(30 * kMebibyte, 0);
  Block* const young = allocator.allocate(40 * kMebibyte, 0);
  allocator.free(old);
  for (int i = 0; i < 5; ++i) {
    allocator.free(allocator.allocate(512, 0));
    allocator.free(allocator.allocate(20 * kMebibyte, 0));  // this request searches the large pool and takes
                                                            // the old block
  }
  allocator.free(young);
  EXPECT_EQ(allocator.statistics().retries, 0U);
  allocator.allocate(45 * kMebibyte, 0);
  EXPECT_EQ(allocator.statistics().retries, 0U) << "garbage collection comes before the retry";
  EXPECT_LE(allocator.statistics().reserved.now, 100 * kMebibyte);
  expect_sound(allocator);
}

TEST(CachingAllocator, ReleasesOversizeBlocksFirst) {
  CachingAllocator allocator(parse_allocator_settings("max_split_size_mb:40"), 160 * kMebibyte);
  allocator.free(allocator.allocate(90 * kMebibyte, 0));
  Block* const kept = allocator.allocate(30 * kMebibyte, 0);
  allocator.free(kept);
  EXPECT_NE(allocator.allocate(60 * kMebibyte, 0), nullptr);
  EXPECT_EQ(allocator.statistics().retries, 0U);
  EXPECT_EQ(allocator.statistics().reserved.now, 90 * kMebibyte) << "the small cached segment stays";
  expect_sound(allocator);
}

/// The free part of a segment that is in use exceeds the largest size that may be split.
TEST(CachingAllocator, NeverReleasesAPartOfASegment) {
  AllocatorSettings settings;
  settings.max_split_bytes = 20 * kMebibyte;
  settings.large_segment_bytes = 100 * kMebibyte;
  CachingAllocator allocator(settings, 150 * kMebibyte);
  EXPECT_NE(allocator.allocate(5 * kMebibyte, 0), nullptr);
  EXPECT_EQ(allocator.allocate(60 * kMebibyte, 0), nullptr);
  EXPECT_EQ(allocator.statistics().reserved.now, 100 * kMebibyte);
  EXPECT_EQ(allocator.allocate(5 * kMebibyte, 0), nullptr);
  expect_sound(allocator);
}

TEST(CachingAllocator, KeepsPeaks) {
  CachingAllocator allocator({});
  allocator.free(allocator.allocate(30 * kMebibyte, 0));
  allocator.empty_cache();
  EXPECT_EQ(allocator.statistics().reserved.peak, 30 * kMebibyte);
  EXPECT_EQ(allocator.statistics().allocated.peak, 30 * kMebibyte);
  EXPECT_EQ(allocator.statistics().allocated.now, 0U);
}

}  // namespace
}  // namespace molgauge::allocator
