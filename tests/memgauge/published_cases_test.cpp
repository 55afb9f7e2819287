// Tests cases with published outcomes, which the simulator must reproduce.

#include <gtest/gtest.h>

#include "invariants.h"
#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kGibibyte = 1024 * kMebibyte;

struct GraphCase {
  std::uint64_t bytes;
  std::size_t segments;
  std::uint64_t segment_bytes;
};

class ThreeLiveTensors : public testing::TestWithParam<GraphCase> {};

/// The table is from test_graph_cudaMallocAsync and test_graph_memory_stats of PyTorch. Three tensors of one
/// size are live.
TEST_P(ThreeLiveTensors, TakeTheSegmentsOfPyTorchsOwnTest) {
  CachingAllocator allocator({});
  for (int i = 0; i < 3; ++i) {
    ASSERT_NE(allocator.allocate(GetParam().bytes, 0), nullptr);
  }
  EXPECT_EQ(allocator.segments().size(), GetParam().segments);
  EXPECT_EQ(allocator.statistics().reserved.now, GetParam().segments * GetParam().segment_bytes);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ThreeLiveTensors,
                         testing::Values(GraphCase{512, 1, 2 * kMebibyte},
                                         GraphCase{kMebibyte, 2, 2 * kMebibyte},
                                         GraphCase{kMebibyte + 512, 1, 20 * kMebibyte},
                                         GraphCase{10 * kMebibyte - 512, 2, 20 * kMebibyte},
                                         GraphCase{10 * kMebibyte + 512, 3, 12 * kMebibyte}));

/// PyTorch pull request 193400. First, 64 MiB are allocated and kept. Each cycle then allocates 91, 45.5 and
/// 2 MiB. The 2 MiB are kept, and the other two are freed.
class TwoOptionsAtOnce {
 public:
  explicit TwoOptionsAtOnce(const char* settings)
      : allocator_(parse_allocator_settings(settings), 16 * kGibibyte) {
    allocator_.allocate(64 * kMebibyte, 0);
  }
  void cycle() {
    Block* const large = allocator_.allocate(91 * kMebibyte, 0);
    Block* const half = allocator_.allocate(91 * kMebibyte / 2, 0);
    allocator_.allocate(2 * kMebibyte, 0);
    allocator_.free(large);
    allocator_.free(half);
  }
  std::uint64_t allocated() const { return allocator_.statistics().allocated.now / kMebibyte; }
  std::uint64_t reserved() const { return allocator_.statistics().reserved.now / kMebibyte; }

 private:
  CachingAllocator allocator_;
};

TEST(PublishedCase, MaxSplitSizeAndExpandableSegmentsTogetherGrowWithoutEnd) {
  TwoOptionsAtOnce run("max_split_size_mb:128,expandable_segments:True");
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {
      {66, 220}, {106, 2980}, {146, 5760}, {186, 8520}, {226, 11300}, {266, 14060}};
  for (std::size_t cycle = 0; cycle <= 100; ++cycle) {
    run.cycle();
    if (cycle % 20 == 0) {
      EXPECT_EQ(run.allocated(), expected[cycle / 20].first) << cycle;
      EXPECT_EQ(run.reserved(), expected[cycle / 20].second) << cycle;
    }
  }
}

TEST(PublishedCase, EitherOptionAloneStaysSmall) {
  for (const char* settings : {"max_split_size_mb:128", "expandable_segments:True"}) {
    TwoOptionsAtOnce run(settings);
    for (int cycle = 0; cycle <= 100; ++cycle) {
      run.cycle();
    }
    EXPECT_LT(run.reserved(), 500U) << settings;
  }
}

/// vLLM pull request 41268: a request of 270 MiB splits a cached segment of 530 MiB, and the remainder cannot
/// be used.
TEST(PublishedCase, ASplitSegmentIsPinnedUnlessItIsOversize) {
  for (const bool limited : {false, true}) {
    CachingAllocator allocator(parse_allocator_settings(limited ? "max_split_size_mb:20" : ""));
    allocator.free(allocator.allocate(530 * kMebibyte, 0));
    allocator.allocate(270 * kMebibyte, 0);
    EXPECT_EQ(allocator.largest_free_block(), (limited ? 530 : 260) * kMebibyte);
    allocator.empty_cache();
    EXPECT_EQ(allocator.statistics().reserved.now, (limited ? 270 : 530) * kMebibyte);
  }
}

/// pytorch issue 35901: After the first iteration, the single large segment is free. Small tensors of the
/// second iteration split it. The large tensor then does not fit.
TEST(PublishedCase, AHugeSegmentIsCarvedUp) {
  const std::uint64_t huge = 11'643'387'904;
  for (const bool expandable : {false, true}) {
    CachingAllocator allocator(parse_allocator_settings(expandable ? "expandable_segments:True" : ""),
                               16 * kGibibyte);
    allocator.free(allocator.allocate(huge, 0));
    for (const std::uint64_t millions : {11, 13, 18, 16, 12}) {
      ASSERT_NE(allocator.allocate(millions * 1'000'000, 0), nullptr);
    }
    EXPECT_EQ(allocator.segments().size(), 1U) << "carved from the huge segment";
    EXPECT_EQ(allocator.allocate(huge, 0) != nullptr, expandable);
    EXPECT_EQ(allocator.statistics().out_of_memory, expandable ? 0U : 1U);
    EXPECT_EQ(broken_invariant(allocator), std::nullopt);
  }
}

/// pytorch pull request 136174: a request above max_split_size takes a larger cached block only within
/// max_non_split_rounding.
TEST(PublishedCase, OversizeBlocksAreReusedWithinTheRounding) {
  const auto reserved_after = [](const std::string& more) {
    CachingAllocator allocator(
        parse_allocator_settings("max_split_size_mb:400,roundup_power2_divisions:[512:2,>:1]" + more));
    allocator.free(allocator.allocate(1024 * kMebibyte, 0));
    EXPECT_EQ(allocator.allocate(500 * kMebibyte, 0)->requested, 500 * kMebibyte);
    return allocator.statistics().reserved.now / kMebibyte;
  };
  EXPECT_EQ(reserved_after(""), 1024U + 512U);
  EXPECT_EQ(reserved_after(",max_non_split_rounding_mb:1024"), 1024U);
}

}  // namespace
}  // namespace molgauge::allocator
