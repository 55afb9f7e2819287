// Tests programs whose recording begins in the middle of the program. The state at the beginning is
// reconstructed from the state at the end.

#include "memgauge/recordings/initial_allocator_state.h"

#include <random>

#include <gtest/gtest.h>

#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {
namespace {

TraceRow row(Word action, std::uint64_t address, std::uint64_t bytes) {
  TraceRow made;
  made.action = static_cast<std::uint8_t>(action);
  made.address = address;
  made.bytes = bytes;
  return made;
}

std::vector<SegmentPicture> pictures(const CachingAllocator& allocator) {
  return picture_of(allocator, [](std::uint32_t) { return 0U; });
}

struct Outline {
  std::uint64_t address, bytes;
  bool in_use;
  bool operator==(const Outline&) const = default;
};

std::vector<Outline> outline(const std::vector<SegmentPicture>& segments) {
  std::vector<Outline> blocks;
  for (const auto& segment : segments) {
    for (const auto& block : segment.blocks) {
      blocks.push_back({block.address, block.bytes, block.state != BlockState::free});
    }
  }
  return blocks;
}

class StartStateOf : public testing::TestWithParam<const char*> {
 protected:
  struct Starts {
    std::vector<Outline> found, real;
    std::string contradiction;
  };
  /// Runs a random program, records the events of its second half, and undoes these events. Requests in the
  /// large pool are multiples of `large_step`.
  static Starts starts_of_a_program(std::uint32_t seed, std::uint64_t large_step);
};

StartStateOf::Starts StartStateOf::starts_of_a_program(std::uint32_t seed, std::uint64_t large_step) {
  const AllocatorSettings settings = parse_allocator_settings(GetParam());
  std::mt19937 bits(seed);
  CachingAllocator allocator(settings);
  std::vector<Block*> live;
  std::vector<TraceRow> trace;
  std::map<std::uint64_t, std::uint64_t> known;
  std::vector<SegmentPicture> middle;
  const auto step = [&] {
    if (!live.empty() && bits() % 100 < 48) {
      const std::size_t place = bits() % live.size();
      trace.push_back(row(Word::free_completed, live[place]->address, live[place]->requested));
      allocator.free(live[place]);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(place));
      return;
    }
    const std::uint64_t most = 40 * kMebibyte / large_step;
    const std::uint64_t bytes =
        bits() % 3 == 0 ? 1 + bits() % 900'000 : 2 * kMebibyte + bits() % most * large_step;
    live.push_back(allocator.allocate(bytes, 0));
    for (const auto& [address, segment] : allocator.segments()) {
      if (known.emplace(address, segment.bytes).second) {
        trace.push_back(row(Word::segment_alloc, address, segment.bytes));
      }
    }
    trace.push_back(row(Word::alloc, live.back()->address, bytes));
  };
  for (int i = 0; i < 300; ++i) {
    step();
  }
  middle = pictures(allocator);
  trace.clear();
  for (int i = 0; i < 300; ++i) {
    step();
  }
  InitialAllocatorState start(pictures(allocator), settings);
  for (auto entry = trace.rbegin(); entry != trace.rend(); ++entry) {
    start.undo(*entry);
  }
  return {outline(start.pictures()), outline(middle), start.contradiction()};
}

/// All requests in the large pool are multiples of 2 MiB. The allocator then always splits a larger block,
/// because the remainder is more than 1 MiB. The events therefore determine the size of each block.
TEST_P(StartStateOf, RandomProgramsIsWhatItWas) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto starts = starts_of_a_program(seed, 2 * kMebibyte);
    EXPECT_EQ(starts.contradiction, "") << seed;
    EXPECT_EQ(starts.found, starts.real) << seed;
  }
}

/// If a block of 24 MiB is placed in a gap of 25 MiB, it includes the remaining 1 MiB. If the memory behind
/// the block is also free, the events do not show the remainder. The addresses of the live blocks are then
/// known exactly, but their sizes only to within 1 MiB. The reconstruction uses the smallest possible size.
TEST_P(StartStateOf, ProgramsThatLeaveRestsIsKnownToTheRest) {
  const auto in_use = [](std::vector<Outline> blocks) {
    std::erase_if(blocks, [](const Outline& block) { return !block.in_use; });
    return blocks;
  };
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto starts = starts_of_a_program(seed, kMebibyte / 2);
    EXPECT_EQ(starts.contradiction, "") << seed;
    const auto found = in_use(starts.found), real = in_use(starts.real);
    ASSERT_EQ(found.size(), real.size()) << seed;
    for (std::size_t i = 0; i < real.size(); ++i) {
      EXPECT_EQ(found[i].address, real[i].address) << seed;
      EXPECT_LE(found[i].bytes, real[i].bytes) << seed;
      EXPECT_GE(found[i].bytes + kMebibyte, real[i].bytes) << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, StartStateOf, testing::Values("", "roundup_power2_divisions:4"));

TEST(InitialAllocatorState, BringsBackSegmentsThatWent) {
  InitialAllocatorState start({}, {});
  start.undo(row(Word::segment_free, 1 << 24, 40 * kMebibyte));
  start.undo(row(Word::free_completed, (1 << 24) + 4 * kMebibyte, 8 * kMebibyte));
  ASSERT_EQ(start.contradiction(), "");
  const auto pictures = start.pictures();
  ASSERT_EQ(pictures.size(), 1U);
  ASSERT_EQ(pictures[0].blocks.size(), 3U);
  EXPECT_EQ(pictures[0].blocks[1].bytes, 8 * kMebibyte);
  EXPECT_EQ(pictures[0].blocks[1].requested, 8 * kMebibyte);
}

/// A gap of less than 1 MiB never stays in the large pool. Such a gap belongs to the block before it.
TEST(InitialAllocatorState, GivesSmallGapsToTheBlockInFront) {
  InitialAllocatorState start({}, {});
  start.undo(row(Word::segment_free, 1 << 24, 20 * kMebibyte));
  start.undo(row(Word::free_completed, 1 << 24, 5 * kMebibyte));
  start.undo(row(Word::free_completed, (1 << 24) + 5 * kMebibyte + kMebibyte / 2, 4 * kMebibyte));
  const auto pictures = start.pictures();
  ASSERT_EQ(pictures.at(0).blocks.size(), 3U);
  EXPECT_EQ(pictures[0].blocks[0].bytes, 5 * kMebibyte + kMebibyte / 2);
}

TEST(InitialAllocatorState, NamesContradictions) {
  InitialAllocatorState freed({}, {});
  freed.undo(row(Word::free_completed, 4096, 512));
  EXPECT_NE(freed.contradiction().find("lay in no segment"), std::string::npos);
  InitialAllocatorState allocated({}, {});
  allocated.undo(row(Word::alloc, 4096, 512));
  EXPECT_NE(allocated.contradiction().find("not there afterwards"), std::string::npos);
  InitialAllocatorState expandable({}, {});
  expandable.undo(row(Word::segment_map, 4096, 512));
  EXPECT_NE(expandable.contradiction().find("expandable"), std::string::npos);
}

/// From a restored state, the allocator continues exactly like the original allocator.
TEST(InitialAllocatorState, IsGoneOnFrom) {
  CachingAllocator first{AllocatorSettings()};
  Block* const a = first.allocate(30 * kMebibyte, 0);
  first.allocate(4 * kMebibyte, 0);
  first.free(a);
  CachingAllocator second{AllocatorSettings()};
  const auto in_use = second.restore(pictures(first));
  ASSERT_EQ(in_use.size(), 1U);
  EXPECT_EQ(second.statistics().reserved.now, first.statistics().reserved.now);
  EXPECT_EQ(second.allocate(25 * kMebibyte, 0)->address, first.allocate(25 * kMebibyte, 0)->address);
  second.free(in_use[0]);
  second.empty_cache();
  EXPECT_EQ(second.statistics().reserved.now, 30 * kMebibyte);
}

}  // namespace
}  // namespace molgauge::allocator
