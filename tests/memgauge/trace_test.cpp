#include <thread>

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/memory/trace/trace_chunk.h"
#include "base/memory/trace/trace_writer.h"
#include "byte_text.h"
#include "memgauge/recordings/trace_reader.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using test::TextSource;

Recording read_text(const std::string& text) {
  TextSource source(text);
  return read_trace(source, "t.trace");
}

class Trace : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_ / "t.trace"; }
  std::string content() const { return read_file(path()); }
  molgauge::test::TemporaryFolder folder_;
};

std::vector<std::pair<EventKind, std::uint64_t>> kinds_and_bytes(const Recording& recording) {
  std::vector<std::pair<EventKind, std::uint64_t>> result;
  for (const auto& event : recording.events) {
    result.emplace_back(event.kind, event.bytes);
  }
  return result;
}

TEST_F(Trace, ComesBackAsItWasRecorded) {
  {
    TraceWriter writer(path(), {0, 1000, "expandable_segments:True"});
    writer.begin_phase("train");
    writer.allocate(0xFFFF'0000'0000'0000, 100, 7);
    writer.begin_phase("forward");
    writer.allocate(512, 200, 9);
    writer.end_phase();
    writer.request_free(0xFFFF'0000'0000'0000, 100, 7);
    writer.free(512, 200, 9);
    writer.complete_free(0xFFFF'0000'0000'0000, 100, 7);
    writer.end_phase();
    writer.out_of_memory(300, 7);
  }
  const Recording recording = read_text(content());
  EXPECT_TRUE(recording.is_complete);
  EXPECT_EQ(recording.capacity, 1000U);
  EXPECT_EQ(recording.settings, "expandable_segments:True");
  EXPECT_EQ(recording.allocations, 2U);
  using enum EventKind;
  EXPECT_THAT(
      kinds_and_bytes(recording),
      testing::ElementsAre(std::pair{begin_phase, 0}, std::pair{allocate, 100}, std::pair{begin_phase, 0},
                           std::pair{allocate, 200}, std::pair{end_phase, 0}, std::pair{request_free, 100},
                           std::pair{free, 200}, std::pair{complete_free, 100}, std::pair{end_phase, 0},
                           std::pair{out_of_memory, 300}));
  EXPECT_EQ(recording.origins[recording.events[1].origin], "train");
  EXPECT_EQ(recording.origins[recording.events[3].origin], "train / forward");
  EXPECT_NE(recording.events[1].stream, recording.events[3].stream);
}

TEST_F(Trace, IsCompact) {
  {
    TraceWriter writer(path());
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      writer.allocate(i % 64 * 4096, 1000 + i % 1000, 0);
      writer.free(i % 64 * 4096, 1000 + i % 1000, 0);
    }
  }
  EXPECT_LE(content().size(), 200'000U * 7);
  EXPECT_EQ(read_text(content()).events.size(), 200'000U);
}

TEST_F(Trace, TakesEventsFromManyThreads) {
  {
    TraceWriter writer(path());
    std::vector<std::thread> threads;
    for (std::uint64_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&writer, thread] {
        for (std::uint64_t i = 0; i < 5000; ++i) {
          writer.allocate(thread << 40, i, thread);
          writer.free(thread << 40, i, thread);
        }
      });
    }
    for (auto& thread : threads) {
      thread.join();
    }
  }
  EXPECT_EQ(read_text(content()).events.size(), 40'000U);
}

TEST_F(Trace, RingKeepsTheLastEventsAndWhatStillLives) {
  {
    TraceWriter writer(path(), {1000, 0, ""});
    writer.begin_phase("train");
    writer.allocate(1, 111, 0);  // this allocation is never freed
    writer.allocate(2, 222, 0);  // this allocation is freed within the window
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      writer.allocate(3, i, 0);
      writer.free(3, i, 0);
    }
    writer.free(2, 222, 0);
  }
  const Recording recording = read_text(content());
  EXPECT_TRUE(recording.is_complete);
  EXPECT_GE(recording.events.size(), 1000U);
  EXPECT_LE(recording.events.size(), 1300U);
  EXPECT_EQ(recording.events_dropped + recording.events.size(), 20'004U + 1 + recording.residents)
      << "one more: the phase that was open is begun again";
  // The ring may also begin between the allocation and the free of the short-lived block.
  EXPECT_GE(recording.residents, 2U);
  std::uint64_t resident_bytes = 0;
  for (std::size_t i = 0; i < recording.residents; ++i) {
    resident_bytes += recording.events[i].bytes <= 222 ? recording.events[i].bytes : 0;
  }
  EXPECT_EQ(resident_bytes, 333U);
  EXPECT_EQ(recording.origins[recording.events.back().origin], "before the recording");
}

TEST_F(Trace, OfAKilledProgramIsReadAsFarAsItGoes) {
  TraceWriter writer(path());
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    writer.allocate(i, 5, 0);
  }
  writer.flush();
  const std::string whole = content();
  EXPECT_FALSE(read_text(whole).is_complete);
  EXPECT_EQ(read_text(whole).events.size(), 50'000U);
  const Recording torn = read_text(whole.substr(0, whole.size() - 1));
  EXPECT_FALSE(torn.is_complete);
  EXPECT_LT(torn.events.size(), 50'000U);
  EXPECT_GT(torn.events.size(), 0U);
}

void expect_refused(const std::string& text, const std::string& reason) {
  try {
    read_text(text);
    ADD_FAILURE() << "not refused: " << reason;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::StartsWith("t.trace: "), testing::HasSubstr("byte "),
                                             testing::HasSubstr(reason)));
  }
}

class HostileTrace : public Trace {
 protected:
  HostileTrace() {
    {
      TraceWriter writer(path());
      writer.allocate(1, 2, 3);
    }
    header_ = content().substr(0, 16);
    settings_ = seal_chunk(ChunkKind::settings, 0, 0, std::string("\0\0", 2));
  }
  /// A trace of one chunk with this payload and valid checksums.
  std::string with(ChunkKind kind, const std::string& payload) const {
    return header_ + settings_ + seal_chunk(kind, 1, 1, payload);
  }
  std::string with_event(TraceRecord kind, const std::string& rest) const {
    return with(ChunkKind::events, std::string(1, '\0') + static_cast<char>(kind) + rest);
  }
  std::string header_, settings_;
};

TEST_F(HostileTrace, IsRefusedWithPlaceAndReason) {
  expect_refused("", "are expected");
  expect_refused("no trace at all!", "does not begin as one");
  std::string later = content();
  later[8] = 2;
  expect_refused(later, "version 2");
  expect_refused(header_ + "XXXX" + std::string(40, '\0'), "no chunk begins here");
  expect_refused(content() + "x", "follows the end");
  expect_refused(header_ + seal_chunk(ChunkKind::settings, 5, 0, std::string("\0\0", 2)), "checksum");
  expect_refused(with(ChunkKind{9}, "x"), "kind 9");
  std::string huge = seal_chunk(ChunkKind::events, 0, 0, "");
  huge.replace(8, 4, "\xff\xff\xff\xff");
  expect_refused(header_ + huge, "are allowed");
}

TEST_F(HostileTrace, EventsThatContradictEachOtherAreRefused) {
  expect_refused(with_event(TraceRecord{77}, ""), "kind 77");
  expect_refused(with_event(TraceRecord::end_phase, ""), "not begun");
  expect_refused(with_event(TraceRecord::allocate, "\x01"), "breaks off");
  expect_refused(with_event(TraceRecord::begin_phase, "\x7f"), "text breaks off");
  expect_refused(with_event(TraceRecord::allocate, std::string(11, '\xff')), "64 bits");
  const std::string allocation("\x01\x00\x05\x02", 4), again("\x01\x00\x05\x00", 4);
  expect_refused(with(ChunkKind::events, std::string(1, '\0') + allocation + again), "not freed");
  const std::string request("\x03\x00\x05\x02", 4), twice("\x03\x00\x05\x00", 4);
  expect_refused(with(ChunkKind::events, std::string(1, '\0') + request + twice), "freed twice");
  expect_refused(
      with_event(TraceRecord::allocate, std::string("\x00\xff\xff\xff\xff\xff\xff\xff\x7f\x02", 10)),
      "not a request to a card");
}

TEST_F(HostileTrace, EveryFlippedByteIsNoticed) {
  const std::string whole = content();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (at >= 10 && at < 16) {
      continue;  // reserved
    }
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    bool is_noticed = false;
    try {
      is_noticed = !read_text(damaged).is_complete;  // a longer chunk looks truncated
    } catch (const InputError&) {
      is_noticed = true;
    }
    EXPECT_TRUE(is_noticed) << "byte " << at;
  }
}

TEST(TraceWriter, SaysWhichFileCannotBeMade) { EXPECT_THROW(TraceWriter("/no/such/folder/t.trace"), Error); }

}  // namespace
}  // namespace molgauge::allocator
