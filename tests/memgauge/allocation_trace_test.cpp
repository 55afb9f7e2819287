#include "base/memory/trace/allocation_trace.h"

#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "byte_text.h"
#include "memgauge/recordings/recorded_phases.h"
#include "memgauge/recordings/trace_reader.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

Recording read_back(const std::filesystem::path& path) {
  test::TextSource source(read_file(path));
  return read_trace(source, path.string());
}

TEST(AllocationTrace, AttributesWhatIsCountedToPhases) {
  const molgauge::test::TemporaryFolder folder;
  memory::AllocationMeter meter;
  {
    AllocationTrace trace(folder / "t.trace", {});
    meter.observe(&trace);
    memory::PhaseRecorder phases(nullptr, &meter);
    phases.observe(&trace);
    const auto train = phases.begin("train");
    const memory::PhaseMark epoch(&phases, "epoch 1");
    const auto forward = phases.begin_step("forward");
    ASSERT_TRUE(meter.admit(100));
    meter.placed(4096, 100);
    const memory::AllocationLimit limit(meter, 120);
    EXPECT_FALSE(meter.admit(50));
    meter.freed(4096, 100);
    meter.observe(nullptr);
  }
  const Recording recording = read_back(folder / "t.trace");
  EXPECT_TRUE(recording.is_complete);
  ASSERT_EQ(recording.allocations, 1U);
  const auto refused = std::ranges::find(recording.events, EventKind::out_of_memory, &MemoryEvent::kind);
  ASSERT_NE(refused, recording.events.end());
  EXPECT_EQ(refused->bytes, 50U);
  EXPECT_EQ(open_phases_at(recording, static_cast<std::size_t>(refused - recording.events.begin())),
            "train / epoch 1 / forward");
}

TEST(AllocationTrace, TakesEventsOfManyThreads) {
  const molgauge::test::TemporaryFolder folder;
  constexpr std::uintptr_t kEach = 5000;
  {
    AllocationTrace trace(folder / "t.trace", {});
    std::vector<std::jthread> threads;
    for (std::uintptr_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&trace, thread] {
        for (std::uintptr_t i = 0; i < kEach; ++i) {
          const std::uintptr_t address = (thread * kEach + i + 1) * 64;
          trace.allocated(address, 64);
          trace.freed(address, 64);
        }
      });
    }
  }
  EXPECT_EQ(read_back(folder / "t.trace").allocations, 4 * kEach);
}

TEST(AllocationTrace, AFullDiskEndsTheTraceAndNotTheWork) {
  if (!std::filesystem::exists("/dev/full")) {
    GTEST_SKIP() << "no /dev/full";
  }
  EXPECT_THROW(AllocationTrace("/dev/full", {}), Error) << "at once where nothing can be written";
}

}  // namespace
}  // namespace molgauge::allocator
