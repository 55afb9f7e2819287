#include "base/memory/trace/allocator_settings.h"

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::allocator {
namespace {

TEST(AllocatorSettings, AnEmptyTextIsTheDefaults) {
  const AllocatorSettings settings = parse_allocator_settings("");
  EXPECT_EQ(settings, AllocatorSettings{});
  EXPECT_EQ(settings.max_split_bytes, AllocatorSettings::kUnlimited);
  EXPECT_EQ(settings.max_non_split_rounding_bytes, 20 * kMebibyte);
  EXPECT_FALSE(settings.memory_fraction.has_value());
}

TEST(AllocatorSettings, ReadsEveryOption) {
  const AllocatorSettings settings = parse_allocator_settings(
      "backend:native, max_split_size_mb:128,max_non_split_rounding_mb:1024,large_segment_size_mb:12,"
      "roundup_power2_divisions:4,garbage_collection_threshold:0.8,per_process_memory_fraction:0.5,"
      "expandable_segments:True");
  EXPECT_EQ(settings.max_split_bytes, 128 * kMebibyte);
  EXPECT_EQ(settings.max_non_split_rounding_bytes, 1024 * kMebibyte);
  EXPECT_EQ(settings.large_segment_bytes, 12 * kMebibyte);
  EXPECT_EQ(settings.roundup_divisions.front(), 4U);
  EXPECT_EQ(settings.roundup_divisions.back(), 4U);
  EXPECT_DOUBLE_EQ(settings.garbage_collection_threshold, 0.8);
  EXPECT_DOUBLE_EQ(settings.memory_fraction.value(), 0.5);
  EXPECT_TRUE(settings.expandable_segments);
}

TEST(AllocatorSettings, FirstBoundaryFillsWhatIsSmallerAndTheSignWhatIsLarger) {
  const auto table = parse_allocator_settings("roundup_power2_divisions:[4:8,16:2,>:1]").roundup_divisions;
  EXPECT_EQ(table[0], 8U);
  EXPECT_EQ(table[1], 8U);
  EXPECT_EQ(table[2], 8U);
  EXPECT_EQ(table[3], 0U) << "between two boundaries nothing was said";
  EXPECT_EQ(table[4], 2U);
  EXPECT_EQ(table[5], 1U);
  EXPECT_EQ(table[15], 1U);
}

TEST(AllocatorSettings, NamesWhatHasNoEffectHere) {
  const auto settings = parse_allocator_settings("pinned_num_register_threads:8,expandable_segments:True");
  EXPECT_EQ(settings.without_effect, std::vector<std::string>{"pinned_num_register_threads"});
  EXPECT_TRUE(settings.expandable_segments);
}

void expect_refused(const std::string& text, const std::string& reason) {
  try {
    parse_allocator_settings(text);
    ADD_FAILURE() << text << " was taken";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

/// The limits are the same as in PyTorch 2.11. They do not depend on the position of the option.
TEST(AllocatorSettings, LargeSegmentsAreTheLeastOfTheOtherSizes) {
  expect_refused("max_split_size_mb:20,large_segment_size_mb:100",
                 "max_split_size_mb: 20 MiB is out of range");
  expect_refused("large_segment_size_mb:100,max_split_size_mb:99", "The smallest is 100");
  expect_refused("large_segment_size_mb:100,max_non_split_rounding_mb:50", "The smallest is 100");
  const auto settings = parse_allocator_settings("max_split_size_mb:12,large_segment_size_mb:12");
  EXPECT_EQ(settings.max_split_bytes, 12 * kMebibyte);
  EXPECT_EQ(settings.max_non_split_rounding_bytes, 12 * kMebibyte);
  EXPECT_EQ(parse_allocator_settings("large_segment_size_mb:100,max_split_size_mb:100").max_split_bytes,
            100 * kMebibyte);
}

TEST(AllocatorSettings, RefusesWhatItCannotRead) {
  expect_refused("expandable_segments", "':' is missing");
  expect_refused("expandable_segments:yes", "neither True nor False");
  expect_refused("max_split_size_mb:19", "The smallest is 20");
  expect_refused("max_split_size_mb:-1", "is not a whole number");
  expect_refused("max_split_size_mb:99999999999999999", "out of range");
  expect_refused("max_split_size_mb:[1:2]", "single value");
  expect_refused("garbage_collection_threshold:1.5", "above 0 and at most 1");
  expect_refused("roundup_power2_divisions:3", "power of two");
  expect_refused("roundup_power2_divisions:[3:4]", "boundary 3");
  expect_refused("roundup_power2_divisions:[4:4", "']' is missing");
  expect_refused("backend:cudaMallocAsync", "cannot be simulated");
  expect_refused("max_split:1", "is unknown");
  expect_refused("expandable_segments:True,,", "a word is missing");
}

}  // namespace
}  // namespace molgauge::allocator
