#include "memgauge/recordings/replay.h"

#include <gtest/gtest.h>

#include "memgauge/recordings/event_log.h"

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kPage = 4096;

TEST(Replay, RunsWhatWasRecorded) {
  EventLog log;
  const std::uint32_t forward = log.origin("forward");
  log.allocate(1 * kPage, 30 * kMebibyte, 0, forward);
  log.allocate(2 * kPage, 40 * kMebibyte, 0, forward);
  log.free(1 * kPage, 30 * kMebibyte, 0);
  log.allocate(1 * kPage, 25 * kMebibyte, 0, forward);
  const Recording recording = log.finish();
  const ReplayResult result = replay(recording, {});
  EXPECT_FALSE(result.run_out.has_value());
  EXPECT_EQ(result.statistics.reserved.peak, 70 * kMebibyte);
  EXPECT_EQ(result.statistics.allocated.now, 65 * kMebibyte);
  EXPECT_EQ(result.peak_reserved_event, 1U);
  EXPECT_EQ(result.idle.stranded, 5 * kMebibyte);
}

TEST(Replay, SaysWhereMemoryRunsOut) {
  EventLog log;
  log.allocate(1, 30 * kMebibyte, 0, 0);
  log.allocate(2, 40 * kMebibyte, 0, 0);
  log.allocate(3, 50 * kMebibyte, 0, 0);
  ReplayOptions options;
  options.capacity = 100 * kMebibyte;
  const ReplayResult result = replay(log.finish(), options);
  ASSERT_TRUE(result.run_out.has_value());
  EXPECT_EQ(result.run_out->event, 2U);
  EXPECT_EQ(result.run_out->requested, 50 * kMebibyte);
  EXPECT_EQ(result.run_out->reserved, 70 * kMebibyte);
  EXPECT_EQ(result.run_out->device_free, 30 * kMebibyte);
}

TEST(Replay, TriesAgainWhatFailedWhenItWasRecorded) {
  EventLog log;
  log.allocate(1, 60 * kMebibyte, 0, 0);
  log.out_of_memory(50 * kMebibyte, 0, 0);
  const Recording recording = log.finish();
  ReplayOptions options;
  options.capacity = 100 * kMebibyte;
  const ReplayResult failing = replay(recording, options);
  ASSERT_TRUE(failing.run_out.has_value());
  EXPECT_EQ(failing.run_out->event, 1U);
  options.capacity = 110 * kMebibyte;
  const ReplayResult served = replay(recording, options);
  EXPECT_FALSE(served.run_out.has_value());
  EXPECT_EQ(served.statistics.allocated.now, 60 * kMebibyte);
}

TEST(Replay, TimelineKeepsThePeaksBetweenItsPoints) {
  EventLog log;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    log.allocate(1, i == 517 ? 300 * kMebibyte : 30 * kMebibyte, 0, 0);
    log.free(1, 0, 0);
  }
  ReplayOptions options;
  options.stretch_ends = even_stretches(2000, 10);
  const ReplayResult result = replay(log.finish(), options);
  ASSERT_EQ(result.timeline.size(), 10U);
  EXPECT_EQ(result.timeline[5].allocated, 300 * kMebibyte);
  EXPECT_EQ(result.timeline[4].allocated, 30 * kMebibyte);
  EXPECT_EQ(result.timeline.back().event, 1999U);
}

TEST(Replay, CompletesLateFreesOnlyIfTheyStillWait) {
  EventLog log;
  log.allocate(1, 60 * kMebibyte, 0, 0);
  log.request_free(1, 60 * kMebibyte, 0);
  log.allocate(2, 60 * kMebibyte, 0, 0);  // this request must wait for the first block
  log.complete_free(1, 60 * kMebibyte, 0);
  log.allocate(3, 30 * kMebibyte, 0, 0);
  ReplayOptions options;
  options.capacity = 100 * kMebibyte;
  const ReplayResult result = replay(log.finish(), options);
  EXPECT_FALSE(result.run_out.has_value());
  EXPECT_EQ(result.statistics.retries, 1U);
  EXPECT_EQ(result.statistics.allocated.now, 90 * kMebibyte);
}

TEST(Replay, ChangesRequestsAndEmptiesTheCacheAfterAPhase) {
  EventLog log;
  log.begin_phase("epoch");
  log.allocate(1, 60 * kMebibyte, 0, 0);
  log.free(1, 60 * kMebibyte, 0);
  log.end_phase();
  const Recording recording = log.finish();
  ReplayOptions options;
  EXPECT_EQ(replay(recording, options).statistics.reserved.now, 60 * kMebibyte);
  options.change_request = [](const MemoryEvent& event) { return event.bytes / 2; };
  EXPECT_EQ(replay(recording, options).statistics.reserved.now, 30 * kMebibyte);
  options.empty_cache_after_events = {3};
  EXPECT_EQ(replay(recording, options).statistics.reserved.now, 0U);
}

TEST(Replay, PicturesTheSegmentsBeforeAnEvent) {
  EventLog log;
  const std::uint32_t forward = log.origin("forward");
  log.allocate(1, 30 * kMebibyte, 0, forward);
  log.free(1, 30 * kMebibyte, 0);
  log.allocate(2, 10 * kMebibyte, 0, forward);
  const Recording recording = log.finish();
  const auto segments = picture_at(recording, {}, recording.events.size());
  ASSERT_EQ(segments.size(), 1U);
  ASSERT_EQ(segments[0].blocks.size(), 2U);
  EXPECT_EQ(segments[0].blocks[0].origin, forward);
  EXPECT_EQ(segments[0].blocks[1].state, BlockState::free);
  EXPECT_EQ(idle_memory(segments).stranded, 20 * kMebibyte);
  EXPECT_TRUE(picture_at(recording, {}, 0).empty());
}

/// A hostile recording requests more memory than the address space has.
TEST(Replay, EndsWhenAddressesDo) {
  for (const char* settings : {"", "expandable_segments:True"}) {
    EventLog log;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      log.allocate(i, (std::uint64_t{1} << 50) - i * 4096 * 4096, i % 3, 0);
      log.free(i, 0, i % 3);
    }
    for (std::uint64_t i = 0; i < 2000; ++i) {
      log.allocate(i, std::uint64_t{1} << 50, 0, 0);
    }
    ReplayOptions options;
    options.settings = parse_allocator_settings(settings);
    EXPECT_TRUE(replay(log.finish(), options).run_out.has_value()) << settings;
  }
}

TEST(EventLog, WhatIsFreedButWasNeverAllocatedLivedBefore) {
  EventLog log;
  log.free(7, 100, 0);
  log.resident_at_end(9, 200, 0, log.origin("model"));
  const Recording recording = log.finish();
  EXPECT_EQ(recording.residents, 2U);
  ASSERT_EQ(recording.events.size(), 3U);
  EXPECT_EQ(recording.events[0].bytes, 100U);
  EXPECT_EQ(recording.origins[recording.events[1].origin], "model");
  EXPECT_EQ(recording.events[2].kind, EventKind::free);
}

}  // namespace
}  // namespace molgauge::allocator
