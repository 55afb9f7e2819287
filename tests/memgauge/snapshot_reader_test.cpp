#include "memgauge/recordings/snapshot_reader.h"

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/memory/measure/host_memory.h"
#include "byte_text.h"
#include "memgauge/recordings/recording_file.h"
#include "pickle_text.h"
#include "support/fixtures.h"
#include "support/instrumented.h"

namespace molgauge::allocator {
namespace {

using test::PickleText;
using test::TextSource;
using testing::HasSubstr;

Recording read_text(const std::string& text, const SnapshotOptions& options = {}, std::size_t piece = 1000) {
  TextSource source(text, piece);
  return read_snapshot_devices(source, "s.pickle", options).front();
}

class EveryProtocol : public testing::TestWithParam<int> {
 protected:
  std::string path() const {
    return molgauge::test::own_data("allocator/protocol" + std::to_string(GetParam()) + ".pickle");
  }
};

/// The content of the files from tests/fixtures/allocator/make_snapshots.py.
TEST_P(EveryProtocol, IsRead) {
  const Recording recording = read_recording(path());
  EXPECT_EQ(recording.format, "PyTorch snapshot");
  EXPECT_EQ(recording.settings, "garbage_collection_threshold:0.6,per_process_memory_fraction:1.0");
  EXPECT_EQ(recording.residents, 1U) << "a block above 2^63 lived before the trace began";
  EXPECT_EQ(recording.allocations, 4U);
  std::vector<EventKind> kinds;
  for (const auto& event : recording.events) {
    kinds.push_back(event.kind);
  }
  using enum EventKind;
  EXPECT_THAT(kinds, testing::ElementsAre(allocate, begin_phase, allocate, allocate, allocate, free,
                                          empty_cache, request_free, out_of_memory, end_phase));
  EXPECT_EQ(recording.events[0].bytes, 30 * kMebibyte);
  EXPECT_EQ(recording.origins[recording.events[1].origin], "optimizer") << "an annotation";
  EXPECT_EQ(recording.events[2].bytes, 4 * kMebibyte - 100);
  EXPECT_EQ(recording.origins[recording.events[2].origin], "build_model (train.py:12)");
  EXPECT_EQ(recording.origins[recording.events[3].origin], "forward (train.py:40)");
  EXPECT_THAT(recording.stacks[recording.events[3].origin].frames,
              testing::ElementsAre("forward (train.py:40)", "forward (torch/nn/modules/linear.py:125)"));
  EXPECT_EQ(recording.recorded_empty_cache, 1U);
  EXPECT_EQ(recording.recorded_retries, 0U);
  EXPECT_EQ(recording.capacity, 90 * kMebibyte)
      << "50 reserved and 40 left to the driver when memory ran out";
  ASSERT_TRUE(recording.recorded_reserve.has_value());
  EXPECT_EQ(recording.recorded_reserve->peak_bytes, 90 * kMebibyte);
  EXPECT_EQ(recording.recorded_reserve->bytes_at_end, 50 * kMebibyte);
}

TEST_P(EveryProtocol, ShowsTheSegmentsAsTheyWere) {
  const Recording recording = read_recording(path());
  ASSERT_EQ(recording.recorded_segments.size(), 2U);
  const SegmentPicture& first = recording.recorded_segments[0];
  EXPECT_EQ(first.reserved, 20 * kMebibyte);
  ASSERT_EQ(first.blocks.size(), 3U);
  EXPECT_EQ(first.blocks[0].state, BlockState::allocated);
  EXPECT_EQ(first.blocks[1].state, BlockState::pending);
  EXPECT_EQ(first.blocks[2].state, BlockState::free);
  EXPECT_EQ(idle_memory(recording.recorded_segments).stranded, 14 * kMebibyte);
}

TEST_P(EveryProtocol, CutOffAnywhereIsRefused) {
  const std::string whole = read_file(path());
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 50) {
    EXPECT_THROW(read_text(whole.substr(0, length)), InputError) << length;
  }
}

TEST_P(EveryProtocol, AFlippedBitNeverDoesWorseThanARefusal) {
  const std::string whole = read_file(path());
  for (std::size_t bit = 0; bit < whole.size() * 8; bit += 3) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    try {
      read_text(damaged);
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("s.pickle: "));
    }
  }
}

TEST_P(EveryProtocol, ReadsAFileInTheSmallestPieces) {
  EXPECT_EQ(read_text(read_file(path()), {}, 1).events.size(), 10U);
}

INSTANTIATE_TEST_SUITE_P(Protocols, EveryProtocol, testing::Range(2, 6));

/// A segment of one block in the format of PyTorch 2.0. This format lacks the addresses of blocks and the
/// requested sizes.
PickleText& old_segment(PickleText& pickle, std::uint64_t device, std::uint64_t total) {
  pickle.raw("}(")
      .field("device", device)
      .field("address", 4096)
      .field("total_size", total)
      .field("stream", 0);
  pickle.field("segment_type", "small")
      .text("blocks")
      .raw("](}(")
      .field("size", 512)
      .field("state", "active_allocated");
  return pickle.raw("u}(").field("size", 1536).field("state", "inactive").raw("ueu");
}

/// The test writes complete lists at once and without memoization, as the pickler of TorchScript does.
TEST(SnapshotReader, ReadsOldFilesWithoutAddressesAndTraces) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("](");
  old_segment(pickle, 0, 2048).raw("eu");
  const Recording recording = read_text(pickle.stop());
  EXPECT_EQ(recording.residents, 1U);
  EXPECT_EQ(recording.events.at(0).bytes, 512U);
  EXPECT_EQ(recording.recorded_segments.at(0).blocks.at(1).address, 4608U);
  EXPECT_TRUE(recording.recorded_segments.at(0).is_small);
  EXPECT_FALSE(recording.capacity.has_value());
}

TEST(SnapshotReader, TakesTheDeviceThatIsAskedForOrTheBusiest) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("](");
  old_segment(pickle, 0, 2048);
  old_segment(pickle, 1, 2048).raw("e").text("device_traces").raw("](](}(");
  pickle.field("action", "alloc").field("addr", 99).field("size", 7).field("stream", 0).raw("ue](}(");
  pickle.field("action", "alloc").field("addr", 1).field("size", 5).field("stream", 0).raw("u}(");
  pickle.field("action", "free_requested").field("addr", 1).field("size", 5).field("stream", 0).raw("ueeu");
  const Recording busiest = read_text(pickle.stop());
  EXPECT_EQ(busiest.events.size() - busiest.residents, 2U);
  SnapshotOptions options;
  options.device = 0;
  const Recording first = read_text(pickle.stop(), options);
  EXPECT_EQ(first.events.size() - first.residents, 1U);
  EXPECT_EQ(first.recorded_segments.size(), 1U);
}

TEST(SnapshotReader, ClassifiesADictWhateverTheOrderOfItsKeys) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("]").text("device_traces").raw("](](}");
  pickle.raw("(").field("size", 5).raw("u").text("stream").number(0).raw("s").field("addr", 1).raw("s");
  pickle.field("action", "alloc").raw("se").raw("eu");
  const Recording recording = read_text(pickle.stop());
  ASSERT_EQ(recording.events.size(), 1U);
  EXPECT_EQ(recording.events[0].bytes, 5U);
}

/// In the format of PyTorch 2.0, the history of a block contains the stacks. The last stack comes first.
TEST(SnapshotReader, ReadsTheHistoryOfBlocks) {
  PickleText pickle;
  pickle.raw("}(")
      .text("segments")
      .raw("](}(")
      .field("device", 0)
      .field("address", 4096)
      .field("total_size", 512);
  pickle.text("blocks")
      .raw("](}(")
      .field("size", 512)
      .field("state", "active_allocated")
      .text("history")
      .raw("](}(");
  pickle.field("addr", 4096).field("real_size", 500).text("frames").raw("](}(");
  pickle.field("name", "run").field("filename", "a.py").field("line", 7).raw("ueueueueu");
  const Recording recording = read_text(pickle.stop());
  ASSERT_EQ(recording.residents, 1U);
  EXPECT_EQ(recording.origins[recording.events[0].origin], "run (a.py:7)");
}

/// torch.cuda.memory_snapshot() returns a list.
TEST(SnapshotReader, ReadsAListOfSegments) {
  PickleText pickle;
  pickle.raw("](");
  old_segment(pickle, 3, 2048).raw("e");
  const Recording recording = read_text(pickle.stop());
  EXPECT_EQ(recording.device, 3U);
  EXPECT_EQ(recording.recorded_segments.size(), 1U);
  EXPECT_FALSE(recording.has_history());
}

TEST(SnapshotReader, TakesTheDeviceThatRanOutOfMemory) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("](");
  old_segment(pickle, 0, 2048).raw("e").text("device_traces").raw("](](}(");
  pickle.field("action", "alloc").field("addr", 99).field("size", 7).raw("ue](}(");
  pickle.field("action", "oom").field("device_free", 1).field("size", 5).raw("ueeu");
  const Recording recording = read_text(pickle.stop());
  EXPECT_EQ(recording.device, 1U);
  ASSERT_EQ(recording.devices.size(), 2U);
  EXPECT_EQ(recording.devices[1].out_of_memory, 1U);
  SnapshotOptions options;
  options.device = 2;
  EXPECT_THROW(read_text(pickle.stop(), options), UsageError);
}

/// A text that the program attached to its requests precedes the stack.
TEST(SnapshotReader, NamesUserMetadata) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("]").text("device_traces").raw("](](}(");
  pickle.field("action", "alloc")
      .field("addr", 1)
      .field("size", 5)
      .field("user_metadata", "layer 3")
      .raw("ueeu");
  const Recording recording = read_text(pickle.stop());
  EXPECT_EQ(recording.origins[recording.events.at(0).origin], "[layer 3] no stack recorded");
}

/// If the program releases segments, but its next request does not need their memory, the releases are an
/// empty_cache() and not a retry.
TEST(SnapshotReader, TellsRetriesFromEmptiedCaches) {
  PickleText pickle;
  const auto event = [&](std::string_view action, std::uint64_t address, std::uint64_t bytes) {
    pickle.raw("}(").field("action", action).field("addr", address).field("size", bytes).raw("u");
  };
  const std::uint64_t mib = std::uint64_t{1} << 20;
  pickle.raw("}(").text("segments").raw("]").text("device_traces").raw("](](");
  event("segment_alloc", 1 << 20, 40 * mib);
  event("alloc", 1 << 20, 40 * mib);
  event("free_requested", 1 << 20, 40 * mib);
  event("free_completed", 1 << 20, 40 * mib);
  event("segment_free", 1 << 20, 40 * mib);  // the next request fits without this memory, so the release is
                                             // an empty_cache()
  event("segment_alloc", 1 << 20, 50 * mib);
  event("alloc", 1 << 20, 50 * mib);
  event("segment_alloc", 1 << 28, 50 * mib);
  event("alloc", 1 << 28, 50 * mib);
  event("free_requested", 1 << 28, 50 * mib);
  event("free_completed", 1 << 28, 50 * mib);
  event("segment_free", 1 << 28, 50 * mib);  // a retry, because 60 MiB more did not fit
  event("segment_alloc", 1 << 29, 60 * mib);
  event("alloc", 1 << 29, 60 * mib);
  event("free_requested", 1 << 29, 60 * mib);
  event("free_completed", 1 << 29, 60 * mib);
  event("segment_free", 1 << 29, 60 * mib);
  const Recording recording = read_text(pickle.raw("eeu").stop());
  EXPECT_EQ(recording.recorded_retries, 1U);
  EXPECT_EQ(recording.recorded_empty_cache, 2U);
  EXPECT_EQ(recording.least_capacity, 110 * mib);
  EXPECT_EQ(recording.capacity, 160 * mib - 1);
}

/// Returns a snapshot of any size without storing it: allocations and frees, each with eight fields.
class EndlessSnapshot final : public io::ByteSource {
 public:
  explicit EndlessSnapshot(std::uint64_t bytes) : left_(bytes) {
    PickleText start;
    start.raw("}(").text("segments").raw("]").text("device_traces").raw("](](");
    piece_ = start.so_far();
  }
  std::size_t read(std::span<char> target) override {
    while (position_ == piece_.size() && !is_ended_) {
      next_piece();
    }
    const std::size_t count = std::min(target.size(), piece_.size() - position_);
    std::copy_n(piece_.data() + position_, count, target.data());
    position_ += count;
    return count;
  }
  std::size_t events() const { return events_; }

 private:
  void next_piece() {
    position_ = 0;
    if (left_ == 0) {
      piece_ = "eeu.";
      is_ended_ = true;
      return;
    }
    PickleText event;
    event.raw("}(")
        .field("action", events_ % 2 == 0 ? "alloc" : "free_completed")
        .field("addr", 1 + events_ / 2);
    event.field("size", 4096).field("stream", 0).raw("u");
    piece_ = event.so_far().substr(2);
    left_ -= std::min<std::uint64_t>(left_, piece_.size());
    ++events_;
  }

  std::uint64_t left_;
  std::string piece_;
  std::size_t position_ = 0, events_ = 0;
  bool is_ended_ = false;
};

TEST(SnapshotReader, NeedsLittleMoreMemoryThanTheFileHasBytes) {
  const std::uint64_t bytes = 64 * kMebibyte, before = memory::resident_bytes();
  memory::reset_peak_resident();
  EndlessSnapshot source(bytes);
  const Recording recording = read_snapshot_devices(source, "s.pickle").front();
  EXPECT_EQ(recording.events.size(), source.events());
  EXPECT_TRUE(molgauge::test::is_instrumented() || memory::peak_resident_bytes() <= before + 3 * bytes);
}

void expect_refused(const std::string& text, const std::string& reason, const SnapshotOptions& options = {}) {
  try {
    read_text(text, options);
    ADD_FAILURE() << "not refused: " << reason;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::StartsWith("s.pickle: "), testing::HasSubstr(reason)));
  }
}

TEST(HostileSnapshot, NothingIsExecuted) {
  // The first two pickles call os.system(), as a pickle bomb does. They use the pickle protocols 2 and 4.
  expect_refused(PickleText().raw("cos\nsystem\nX\4\0\0\0true\x85R").stop(),
                 "byte 2): it names or calls code");
  expect_refused(PickleText(4).raw("\x8c\2os\x8c\6system\x93").stop(), "it names or calls code");
  expect_refused(PickleText().raw("}Q").stop(), "it names or calls code");
}

TEST(HostileSnapshot, IsRefusedWithPlaceAndReason) {
  expect_refused("", "byte 0");
  expect_refused(PickleText(6).stop(), "protocol 6");
  expect_refused(PickleText(1).stop(), "protocol 1");
  expect_refused(PickleText().raw("I01\n").stop(), "opcode 0x49");
  expect_refused(PickleText().stop(), "value is missing");
  expect_refused(PickleText().raw("e").stop(), "mark is missing");
  expect_refused(PickleText().raw("(K\1e").stop(), "value is missing");
  expect_refused(PickleText().raw("K\1K\2a").stop(), "not a list");
  expect_refused(PickleText().raw("]K\1K\2s").stop(), "not a dict");
  expect_refused(PickleText().raw("}(K\1u").stop(), "key has no value");
  expect_refused(PickleText().raw("h\5").stop(), "value 5 of the memo");
  expect_refused(PickleText().raw("]r\xff\xff\xff\xff").stop(), "the memo jumps");
  expect_refused(PickleText().raw("\x8d").little_endian(~std::uint64_t{0}, 8).stop(),
                 "more than the maximum");
  expect_refused(PickleText().raw("X").little_endian(60'000'000, 4).stop(), "are expected");
  expect_refused(PickleText().raw("](K\1e").stop(), "not a memory snapshot");
  expect_refused(PickleText().raw("]").stop(), "contains no GPU memory");
  expect_refused(PickleText().raw("}").text("segments").raw("]s").stop(), "contains no GPU memory");
  expect_refused(PickleText().raw("}").text("segments").raw("]s").text("segments").stop(),
                 "not a memory snapshot");
}

TEST(HostileSnapshot, ContradictionsAreRefused) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("](");
  old_segment(pickle, 0, 4096).raw("eu");
  expect_refused(pickle.stop(), "have 2048 bytes, the segment 4096");
  expect_refused(PickleText().raw("}(").text("segments").raw("](K\1eu").stop(), "is not a segment");
  expect_refused(
      PickleText().raw("}(").text("segments").raw("]").text("device_traces").raw("](](K\1eeu").stop(),
      "is not an event");
}

PickleText& event_with_size(PickleText& pickle) {
  pickle.raw("}(").text("segments").raw("]").text("device_traces").raw("](](}(");
  return pickle.field("action", "alloc").field("addr", 1).text("size");
}

TEST(HostileSnapshot, SizesThatAreNoWholeNumbersAreRefused) {
  PickleText text, real, none, large, negative;
  expect_refused(event_with_size(text).text("5").raw("ueeu").stop(), "'size' is not a whole number");
  expect_refused(event_with_size(real).raw("G").little_endian(0, 8).raw("ueeu").stop(), "not a whole number");
  expect_refused(event_with_size(none).raw("Nueeu").stop(), "not a whole number");
  // 2^64 + 5
  event_with_size(large).raw("\x8a").byte(9).little_endian(5, 8).byte(1);
  expect_refused(large.raw("ueeu").stop(), "not a whole number of at most 64 bits");
  event_with_size(negative).raw("J").little_endian(0xFFFFFFFF, 4);
  expect_refused(negative.raw("ueeu").stop(), "'size' is -1");
}

TEST(HostileSnapshot, SegmentsThatShareMemoryAreRefused) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("](");
  old_segment(pickle, 0, 2048);
  expect_refused(old_segment(pickle, 0, 2048).raw("eu").stop(), "overlap");
}

TEST(SnapshotReader, ReportsActionsAndStatesThatAreNotKnown) {
  PickleText pickle;
  pickle.raw("}(").text("segments").raw("](}(").field("device", 0).field("address", 4096);
  pickle.field("total_size", 512)
      .field("stream", 0)
      .field("segment_type", "small")
      .text("blocks")
      .raw("](}(");
  pickle.field("size", 512).field("state", "on_loan").raw("ueue").text("device_traces").raw("](](}(");
  pickle.field("action", "teleport").field("addr", 1).field("size", 5).raw("ueeu");
  const Recording recording = read_text(pickle.stop());
  ASSERT_EQ(recording.unknown_words.size(), 2U);
  EXPECT_THAT(recording.unknown_words[0], HasSubstr("1 with 'teleport'"));
  EXPECT_THAT(recording.unknown_words[1], HasSubstr("1 with 'on_loan'"));
  EXPECT_EQ(recording.recorded_segments.at(0).blocks.at(0).state, BlockState::allocated);
}

TEST(HostileSnapshot, AListThatContainsItselfEndsTheReadingNotTheProcess) {
  expect_refused(PickleText().raw("}(").text("segments").raw("]q").byte(0).raw("h").byte(0).raw("au").stop(),
                 "is not a segment");
}

TEST(HostileSnapshot, LimitsHold) {
  SnapshotOptions options;
  options.limits = {.values = 100, .texts = 200, .other_entries = 10};
  std::string many;
  for (int i = 0; i < 200; ++i) {
    many += "N";
  }
  expect_refused(PickleText().raw(many).stop(), "more than 100", options);
  std::string dicts;
  for (int i = 0; i < 200; ++i) {
    dicts += "}0";
  }
  expect_refused(PickleText().raw(dicts).stop(), "more than 100", options);
  std::string marks(200, '(');
  expect_refused(PickleText().raw(marks).stop(), "more than 100", options);
}

TEST(RecordingFile, SaysWhatItReads) {
  const molgauge::test::TemporaryFolder folder;
  replace_file(folder / "x", "hello");
  EXPECT_THROW(read_recording((folder / "x").string()), InputError);
  EXPECT_THROW(read_recording((folder / "absent").string()), InputError);
  EXPECT_THROW(read_recording(molgauge::test::own_data("allocator/protocol4.pickle").string(), 1),
               UsageError);
  EXPECT_EQ(read_recordings(molgauge::test::own_data("allocator/protocol4.pickle").string()).size(), 1U);
}

}  // namespace
}  // namespace molgauge::allocator
