// Compares the reader and the simulator with recordings of PyTorch's allocator
// (tests/fixtures/allocator/record_snapshots.py). $MOLGAUGE_RECORDED_SNAPSHOTS names another folder of
// recordings.

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "byte_text.h"
#include "memgauge/recordings/replay.h"
#include "memgauge/recordings/snapshot_reader.h"
#include "support/fixtures.h"

#ifdef MOLGAUGE_READS_GZIP
#include "memgauge/recordings/recording_file.h"
#endif

namespace molgauge::allocator {
namespace {

std::filesystem::path recordings() {
  const char* const named = std::getenv("MOLGAUGE_RECORDED_SNAPSHOTS");
  return named != nullptr ? std::filesystem::path(named) : molgauge::test::own_data("allocator/recorded");
}

struct Program {
  std::filesystem::path snapshot;
  nlohmann::json facts;
  Recording recording;
};

Recording read_uncompressed(const std::filesystem::path& path) {
  test::TextSource source(read_file(path), std::size_t{1} << 20);
  return read_snapshot_devices(source, path.string()).front();
}

std::vector<Program> programs() {
  std::vector<Program> found;
  for (const auto& entry : std::filesystem::directory_iterator(recordings())) {
    std::filesystem::path facts = entry.path();
    const bool is_compressed = facts.extension() == ".gz";
    if (is_compressed) {
      facts.replace_extension();
    }
    if (facts.extension() != ".pickle") {
      continue;
    }
    Recording recording;
    if (!is_compressed) {
      recording = read_uncompressed(entry.path());
    } else {
#ifdef MOLGAUGE_READS_GZIP
      recording = read_recording(entry.path().string());
#else
      continue;  // an engine-only build does not read gzip
#endif
    }
    facts.replace_extension(".json");
    found.push_back({entry.path(), nlohmann::json::parse(read_file(facts)), std::move(recording)});
  }
  return found;
}

ReplayOptions as_recorded(const Program& program) {
  ReplayOptions options;
  options.settings = parse_allocator_settings(program.facts["settings"].get<std::string>());
  options.capacity = program.facts["capacity"];
  options.card = program.facts["card"];
  options.settings.memory_fraction =
      static_cast<double>(options.capacity) / static_cast<double>(*options.card);
  options.stretch_ends.resize(program.recording.events.size());
  std::iota(options.stretch_ends.begin(), options.stretch_ends.end(), 0U);
  return options;
}

/// The simulated reserved bytes after each allocation that changed the reserved bytes.
nlohmann::json reserved_after_allocations(const Program& program, const ReplayResult& result) {
  nlohmann::json changes = nlohmann::json::array();
  std::uint64_t allocations = 0;
  for (const TimelinePoint& point : result.timeline) {
    if (program.recording.events[point.event].kind != EventKind::allocate) {
      continue;
    }
    if (changes.empty() || changes.back()[1] != point.reserved) {
      changes.push_back({allocations, point.reserved});
    }
    ++allocations;
  }
  return changes;
}

/// Describes the segments in a canonical order. Their addresses are left out, because the driver chooses
/// them.
std::vector<std::string> outline(const std::vector<SegmentPicture>& segments) {
  std::vector<std::string> outlines;
  for (const SegmentPicture& segment : segments) {
    std::string text = std::to_string(segment.reserved) + ":";
    for (const BlockPicture& block : segment.blocks) {
      text += " " + std::to_string(block.bytes) + (block.state == BlockState::free ? " free" : " used");
    }
    outlines.push_back(text);
  }
  std::sort(outlines.begin(), outlines.end());
  return outlines;
}

TEST(RecordedSnapshots, AreReplayedEventByEvent) {
  const std::vector<Program> all = programs();
  ASSERT_FALSE(all.empty());
  for (const Program& program : all) {
    SCOPED_TRACE(program.snapshot.string());
    const ReplayResult result = replay(program.recording, as_recorded(program));
    EXPECT_EQ(reserved_after_allocations(program, result), program.facts["reserved_after_allocations"]);
    EXPECT_EQ(result.statistics.reserved.peak, program.facts["peak_reserved"]);
    EXPECT_EQ(result.statistics.allocated.peak, program.facts["peak_allocated"]);
    EXPECT_EQ(result.statistics.active.peak, program.facts["peak_active"]);
    EXPECT_EQ(result.statistics.retries, program.facts["retries"]);
    EXPECT_EQ(result.run_out.has_value(), program.facts["ran_out"].get<bool>());
  }
}

TEST(RecordedSnapshots, EndWithTheBlocksThatTheSimulatorHas) {
  for (const Program& program : programs()) {
    SCOPED_TRACE(program.snapshot.string());
    if (program.facts["ran_out"]) {
      continue;  // the program continued and freed its memory, but the replay stops here
    }
    ReplayOptions options = as_recorded(program);
    const auto simulated = picture_at(program.recording, options, program.recording.events.size());
    EXPECT_EQ(outline(simulated), outline(program.recording.recorded_segments));
  }
}

}  // namespace
}  // namespace molgauge::allocator
