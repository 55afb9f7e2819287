#include "invariants.h"

#include <random>

#include <gtest/gtest.h>

namespace molgauge::allocator {
namespace {

const char* const kSettings[] = {
    "",
    "expandable_segments:True",
    "max_split_size_mb:64",
    "roundup_power2_divisions:8",
    "roundup_power2_divisions:[32:8,256:4,>:2],max_split_size_mb:128",
    "per_process_memory_fraction:0.8,garbage_collection_threshold:0.6",
    "expandable_segments:True,max_split_size_mb:32",
    "large_segment_size_mb:64,expandable_segments:True,per_process_memory_fraction:0.9",
};

/// A random program: sizes over seven orders of magnitude, three streams, frees in any order, some of them
/// late.
class RandomProgram {
 public:
  RandomProgram(std::uint32_t seed, CachingAllocator& allocator) : bits_(seed), allocator_(allocator) {}

  void step() {
    const std::uint32_t choice = below(100);
    if (choice < 52) {
      Block* const block = allocator_.allocate(size(), below(3));
      if (block != nullptr) {
        live_.push_back(block);
      } else if (!live_.empty()) {
        drop_half();
      }
    } else if (choice < 90) {
      if (!live_.empty()) {
        allocator_.free(draw(live_));
      }
    } else if (choice < 95) {
      if (!live_.empty()) {
        Block* const block = draw(live_);
        allocator_.request_free(block);
        allocator_.complete_free(block);
      }
    } else if (choice < 99) {
      if (!live_.empty()) {
        allocator_.request_free(draw(live_));
      }
    } else {
      allocator_.empty_cache();
    }
  }

  std::uint64_t live_bytes() const {
    std::uint64_t sum = 0;
    for (const Block* block : live_) {
      sum += block->bytes;
    }
    return sum;
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(bits_() % bound); }
  std::uint64_t size() { return (std::uint64_t{1} << below(28)) + below(100'000); }
  Block* draw(std::vector<Block*>& blocks) {
    std::swap(blocks[below(static_cast<std::uint32_t>(blocks.size()))], blocks.back());
    Block* const drawn = blocks.back();
    blocks.pop_back();
    return drawn;
  }
  void drop_half() {
    for (std::size_t count = (live_.size() + 1) / 2; count > 0; --count) {
      allocator_.free(draw(live_));
    }
  }

  std::mt19937 bits_;
  CachingAllocator& allocator_;
  std::vector<Block*> live_;
};

TEST(Invariants, HoldThroughAThousandRandomTraces) {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const char* const settings = kSettings[seed % std::size(kSettings)];
    CachingAllocator allocator(parse_allocator_settings(settings), 1024 * kMebibyte);
    RandomProgram program(seed, allocator);
    for (int step = 0; step < 400; ++step) {
      program.step();
      if (step % 20 == 19) {
        ASSERT_EQ(broken_invariant(allocator), std::nullopt)
            << "seed " << seed << ", step " << step << ", " << settings;
        ASSERT_EQ(allocator.statistics().allocated.now, program.live_bytes());
        ASSERT_LE(allocator.statistics().reserved.now, 1024 * kMebibyte);
      }
    }
  }
}

TEST(Invariants, ADamagedBookIsNoticed) {
  CachingAllocator allocator({});
  Block* const block = allocator.allocate(5 * kMebibyte, 0);
  EXPECT_EQ(broken_invariant(allocator), std::nullopt);
  block->bytes -= 512;
  EXPECT_NE(broken_invariant(allocator), std::nullopt);
}

}  // namespace
}  // namespace molgauge::allocator
