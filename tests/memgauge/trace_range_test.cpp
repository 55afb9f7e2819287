// Reads a part of the trace of a snapshot (--from and --to).

#include "memgauge/recordings/trace_range.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "byte_text.h"
#include "memgauge/recordings/snapshot_reader.h"
#include "recorded_program.h"

namespace molgauge::allocator {
namespace {

using test::RecordedProgram;
using testing::HasSubstr;

const test::Stack kBuildStack = {{"build", "model.py", 7}};
const test::Stack kStepStack = {{"step", "train.py", 9}};

/// Allocates and frees blocks of random sizes on two streams, and sometimes empties the cache.
class ChangingProgram {
 public:
  explicit ChangingProgram(unsigned seed) : random_(seed) {}

  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) {
      const auto choice = random_() % 100;
      if (choice < 2) {
        program.empty_cache();
      } else if (choice < 50 && !live_.empty()) {
        const std::size_t place = random_() % live_.size();
        program.free(live_[place]);
        live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(place));
      } else {
        const std::uint64_t bytes = 1 + random_() % (choice % 3 == 0 ? 40 * kMebibyte : 300'000);
        live_.push_back(program.alloc(bytes, choice % 2 == 0 ? kBuildStack : kStepStack, random_() % 2));
      }
    }
  }

  RecordedProgram program;

 private:
  std::mt19937 random_;
  std::vector<std::size_t> live_;
};

Recording read_range(const std::string& pickle, const std::string& from, const std::string& to,
                     const SnapshotLimits& limits = {}) {
  test::TextSource source(pickle, 1000);
  SnapshotOptions options;
  options.range = parse_trace_range(from, to);
  options.limits = limits;
  return read_snapshot_devices(source, "s.pickle", options).front();
}

std::size_t events_of(const RecordedProgram& program) { return program.recording().devices.front().events; }

/// The blocks of segments, as addresses, sizes and requests.
std::vector<std::array<std::uint64_t, 4>> blocks_of(const std::vector<SegmentPicture>& segments) {
  std::vector<std::array<std::uint64_t, 4>> blocks;
  for (const auto& segment : segments) {
    for (const auto& block : segment.blocks) {
      blocks.push_back({block.address, block.bytes, block.state == BlockState::free ? 0 : block.requested,
                        block.state == BlockState::free ? 0U : 1U});
    }
  }
  return blocks;
}

std::vector<std::uint64_t> residents_of(const Recording& recording) {
  std::vector<std::uint64_t> bytes;
  for (std::size_t i = 0; i < recording.residents; ++i) {
    bytes.push_back(recording.events[i].bytes);
  }
  std::ranges::sort(bytes);
  return bytes;
}

/// Compares a range of a long recording with a recording that PyTorch would have made in this range.
TEST(TraceRange, IsTheRecordingOfThisPart) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    ChangingProgram whole(seed), part(seed);
    whole.run(150);
    part.run(150);
    const std::size_t from = events_of(whole.program);
    part.program.begin_recording();
    whole.run(200);
    part.run(200);
    const std::size_t to = events_of(whole.program);
    whole.run(300);
    const Recording expected = part.program.recording();
    const Recording found = read_range(whole.program.pickle(), std::to_string(from), std::to_string(to));
    ASSERT_EQ(found.start_unknown, "");
    ASSERT_EQ(expected.start_unknown, "");
    EXPECT_EQ(residents_of(found), residents_of(expected));
    ASSERT_EQ(found.events.size(), expected.events.size());
    for (std::size_t i = found.residents; i < found.events.size(); ++i) {
      EXPECT_EQ(found.events[i].kind, expected.events[i].kind);
      EXPECT_EQ(found.events[i].bytes, expected.events[i].bytes);
    }
    EXPECT_EQ(blocks_of(found.recorded_segments), blocks_of(expected.recorded_segments));
    EXPECT_EQ(blocks_of(found.start_segments), blocks_of(expected.start_segments));
    EXPECT_EQ(found.recorded_reserve->peak_bytes, expected.recorded_reserve->peak_bytes);
    EXPECT_EQ(found.recorded_reserve->bytes_at_end, expected.recorded_reserve->bytes_at_end);
    EXPECT_EQ(found.devices.front().reserved_bytes, expected.devices.front().reserved_bytes);
    EXPECT_EQ(found.devices.front().peak_reserved_bytes, expected.devices.front().peak_reserved_bytes);
    EXPECT_THAT(found.unknown_words, testing::Contains(HasSubstr("Only the events from number")));
  }
}

TEST(TraceRange, OfALongTraceIsItsEnd) {
  SnapshotLimits limits;
  limits.events = 100;
  for (const std::string to : {"", "600"}) {
    SCOPED_TRACE(to);
    ChangingProgram program(1);
    program.run(400);
    const std::string pickle = program.program.pickle();
    const std::size_t events = to.empty() ? events_of(program.program) : std::stoul(to);
    const Recording found = read_range(pickle, "", to, limits);
    const std::size_t stored = found.devices.front().events;
    EXPECT_GE(stored, limits.events / 2);
    EXPECT_LE(stored, limits.events);
    const Recording expected = read_range(pickle, std::to_string(events - stored), to);
    EXPECT_EQ(residents_of(found), residents_of(expected));
    ASSERT_EQ(found.events.size(), expected.events.size());
    for (std::size_t i = 0; i < found.events.size(); ++i) {
      EXPECT_EQ(found.events[i].kind, expected.events[i].kind);
      EXPECT_EQ(found.events[i].bytes, expected.events[i].bytes);
      EXPECT_EQ(found.origins[found.events[i].origin], expected.origins[expected.events[i].origin]);
    }
    EXPECT_EQ(blocks_of(found.start_segments), blocks_of(expected.start_segments));
    EXPECT_EQ(found.unknown_words, expected.unknown_words);
  }
}

TEST(TraceRange, KeepsTheStacksOfEarlierMemory) {
  RecordedProgram program;
  const std::size_t freed_in_range = program.alloc(30 * kMebibyte, kBuildStack);
  const std::size_t freed_later = program.alloc(40 * kMebibyte, kBuildStack);
  const std::size_t from = events_of(program);
  program.alloc(50 * kMebibyte, kStepStack);
  program.free(freed_in_range);
  const std::size_t to = events_of(program);
  program.free(freed_later);
  const Recording recording = read_range(program.pickle(), std::to_string(from), std::to_string(to));
  ASSERT_EQ(recording.residents, 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(recording.origins[recording.events[i].origin], "build (model.py:7)");
  }
  std::uint64_t in_use = 0;
  for (const auto& block : blocks_of(recording.recorded_segments)) {
    in_use += block[2];
  }
  EXPECT_EQ(in_use, 90 * kMebibyte);
}

TEST(TraceRange, TakesTimesSinceTheFirstEvent) {
  RecordedProgram program;  // an event each microsecond
  for (int i = 0; i < 10; ++i) {
    program.free(program.alloc(kMebibyte, kStepStack));
  }
  const std::string pickle = program.pickle();
  EXPECT_EQ(read_range(pickle, "10us", "").devices.front().events, events_of(program) - 10);
  EXPECT_EQ(read_range(pickle, "0.01ms", "0.000016s").devices.front().events, 6U);
  EXPECT_EQ(read_range(pickle, "", "16us").devices.front().events, 16U);
}

TEST(TraceRange, OfExpandableSegmentsHasNoSegments) {
  RecordedProgram program;
  program.event("segment_map", 1 << 30, 20 * kMebibyte);
  program.event("alloc", 1 << 30, 20 * kMebibyte);
  program.event("segment_map", (1 << 30) + 20 * kMebibyte, 4 * kMebibyte);
  program.event("free_requested", 1 << 30, 20 * kMebibyte);
  program.event("free_completed", 1 << 30, 20 * kMebibyte);
  program.event("segment_unmap", 1 << 30, 20 * kMebibyte);
  program.event("segment_unmap", (1 << 30) + 20 * kMebibyte, 4 * kMebibyte);
  const Recording recording = read_range(program.pickle(), "1", "3");
  EXPECT_EQ(recording.recorded_reserve->bytes_at_end, 24 * kMebibyte);
  EXPECT_EQ(recording.recorded_reserve->bytes_at_start, 20 * kMebibyte);
  EXPECT_TRUE(recording.recorded_segments.empty());
  EXPECT_EQ(recording.residents, 0U);
}

TEST(TraceRange, RefusesWhatIsNoRange) {
  const auto problem = [](const std::string& from, const std::string& to) -> std::string {
    RecordedProgram program;
    program.free(program.alloc(kMebibyte, kStepStack));
    try {
      read_range(program.pickle(), from, to);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  for (const char* text :
       {"-1", "1.5", "five", "3 s", "1h", "s", "-2s", "nan", "1e3s", "99999999999999min"}) {
    EXPECT_THAT(problem(text, ""), HasSubstr("--from " + std::string(text) + ": is neither the number"));
    EXPECT_THAT(problem("", text), HasSubstr("--to " + std::string(text) + ": is neither the number"));
  }
  EXPECT_THAT(problem("5", "5"), HasSubstr("the range contains no event"));
  EXPECT_THAT(problem("5s", "300ms"), HasSubstr("the range contains no event"));
  EXPECT_THAT(problem("1000", ""), HasSubstr("no event between --from and --to. It has 4 events"));
  EXPECT_EQ(problem("1", "3s"), "none");
}

}  // namespace
}  // namespace molgauge::allocator
