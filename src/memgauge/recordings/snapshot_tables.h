#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "memgauge/recordings/snapshot_rows.h"
#include "memgauge/recordings/snapshot_value.h"
#include "memgauge/recordings/trace_range.h"

namespace molgauge::allocator {

/// Divides the events of a trace into the events of a range and the other events. Remembers only the effect
/// of the other events, so a long trace needs little memory.
class RangedTrace {
 public:
  explicit RangedTrace(const TraceRange& range) : range_(range) {}

  /// Takes the next event of the trace. Returns whether the event belongs to the range. Throws InputError if
  /// the range is in time and the events have no times.
  bool take(const TraceRow& row);
  /// Moves the first event of the range before the range.
  void leave_out_first(const TraceRow& row);

  /// Number of events in the file, before the range and after it.
  std::uint64_t events() const { return events_; }
  std::uint64_t before() const { return before_; }
  std::uint64_t after() const { return after_; }
  std::uint64_t microseconds() const { return elapsed_; }

  /// The events after the range by their numbers, without memory that was both allocated and freed after the
  /// range. If they are undone in reverse order, the state at the end of the file becomes the state at the
  /// end of the range.
  const std::map<std::uint64_t, TraceRow>& later() const { return later_; }
  /// The change of the reserved bytes after the range, modulo 2^64.
  std::uint64_t later_reserve_change() const { return later_reserve_change_; }
  /// The frames of the memory that was live when the range began, by address.
  const std::unordered_map<std::uint64_t, std::uint32_t>& frames_before() const { return frames_before_; }

 private:
  bool is_before(const TracePoint& point, std::uint64_t number) const;
  void note_earlier(const TraceRow& row);
  void note_later(std::uint64_t number, const TraceRow& row);

  TraceRange range_;
  std::uint64_t events_ = 0, before_ = 0, after_ = 0;
  std::uint64_t first_time_us_ = 0, elapsed_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> frames_before_;
  std::map<std::uint64_t, TraceRow> later_;
  /// The numbers of the events in later_ that allocated blocks and segments, by address.
  std::unordered_map<std::uint64_t, std::uint64_t> later_blocks_, later_segments_;
  std::uint64_t later_reserve_change_ = 0;
};

/// A list to which rows can only be appended. The address of a row never changes. Memory grows in chunks, so
/// tens of millions of rows are never copied. The chunk of a row is found with a shift, which is faster than
/// an access to std::deque.
template <typename Row>
class ChunkedRows {
 public:
  using value_type = Row;

  std::size_t size() const { return size_; }
  Row& operator[](std::size_t row) { return chunks_[row >> kShift][row & (kChunk - 1)]; }
  const Row& operator[](std::size_t row) const { return chunks_[row >> kShift][row & (kChunk - 1)]; }

  Row& emplace_back() {
    if (size_ == chunks_.size() << kShift) {
      chunks_.push_back(std::make_unique<Row[]>(kChunk));
    }
    return (*this)[size_++];
  }
  void push_back(const Row& row) { emplace_back() = row; }

 private:
  static constexpr unsigned kShift = 12;
  static constexpr std::size_t kChunk = std::size_t{1} << kShift;

  std::vector<std::unique_ptr<Row[]>> chunks_;
  std::size_t size_ = 0;
};

/// Maximum number of values of each kind in a snapshot (on the stack, in the memo, items, lists, dicts). The
/// limits keep a hostile file from using all memory. A snapshot of 1 GiB has some 20 million events.
struct SnapshotLimits {
  std::uint64_t values = 64'000'000;
  /// Maximum number of events to store of each trace. Of a longer trace, the last events are stored.
  std::uint64_t events = std::uint64_t{1} << 24U;
  std::uint64_t texts = 5'000'000;          ///< maximum number of distinct texts
  std::uint64_t other_entries = 5'000'000;  ///< entries of dicts that are not part of a snapshot
};

/// The content of a snapshot in rows. A dictionary becomes a row as soon as a key shows its kind. For
/// example, `action` is a key of an event, and `filename` a key of a frame. A tree of values would need ten
/// times the memory.
class SnapshotTables {
 public:
  using Entries = std::vector<std::pair<SnapshotValue, SnapshotValue>>;
  enum class RowKind : std::uint8_t { open, event, frame, segment, block };

  /// Of each trace, stores only the events in `range`.
  explicit SnapshotTables(const SnapshotLimits& limits, const TraceRange& range = {});

  SnapshotValue text(std::string_view characters);
  SnapshotValue sequence(std::vector<SnapshotValue> items);
  SnapshotValue dictionary();
  /// Appends to a sequence or dictionary. The text of an InputError contains only the reason.
  void append(SnapshotValue sequence, std::span<const SnapshotValue> items);
  /// `entries`: key, value, key, value, ...
  void assign(SnapshotValue dictionary, std::span<const SnapshotValue> entries);

  std::string_view text_of(std::uint32_t number) const { return texts_[number]; }
  const std::vector<SnapshotValue>& items(std::size_t sequence) const {
    return lists_[list_of_[sequence]].items;
  }
  /// The events of a trace that are not stored, because they are outside of the range or because the trace is
  /// too long. Null if the whole trace is stored.
  const RangedTrace* outside_range(SnapshotValue trace) const;
  /// Each of these four functions returns the row of a dictionary of the kind in its name, or null for other
  /// values.
  const TraceRow* event(SnapshotValue value) const { return row(value, RowKind::event, events_); }
  const FrameRow* frame(SnapshotValue value) const { return row(value, RowKind::frame, frames_); }
  const SegmentRow* segment(SnapshotValue value) const { return row(value, RowKind::segment, segments_); }
  const BlockRow* block(SnapshotValue value) const { return row(value, RowKind::block, blocks_); }
  /// Returns the data that the program attached to an event (user_metadata), or a value of the kind `none` if
  /// there is no such data.
  SnapshotValue metadata_of(const TraceRow& row) const;
  /// Notes about unknown actions and block states, with their counts in the file.
  std::vector<std::string> unknown_words() const;
  /// Returns the entries of a dictionary that is not a row, or null for other values.
  const Entries* entries(SnapshotValue value) const;
  /// Returns the value of a key in a dictionary, or a value of the kind `none` if the dictionary does not
  /// have the key.
  SnapshotValue find(SnapshotValue dictionary, Word key) const;

 private:
  struct Slot {
    RowKind kind = RowKind::open;
    std::uint32_t row = 0;
  };
  struct List {
    std::vector<SnapshotValue> items;
    /// The number of the first sequence that is this list of frames. 0 for other lists.
    std::uint32_t frames = 0;
  };
  template <typename Rows>
  const typename Rows::value_type* row(SnapshotValue value, RowKind kind, const Rows& rows) const {
    return value.is(SnapshotValue::Kind::dictionary) && slots_[value.index()].kind == kind
               ? &rows[slots_[value.index()].row]
               : nullptr;
  }
  void require_room(std::uint64_t count) const;
  void append_events(std::uint32_t trace, std::span<const SnapshotValue> items);
  void leave_out_first_half(std::uint32_t trace, RangedTrace& ranged);
  void remove_event(std::size_t dictionary);
  std::uint32_t unused_or_new_event();
  std::uint32_t frames_number(SnapshotValue value);
  void assign(Slot& slot, SnapshotValue key, SnapshotValue value);
  void turn_into_row(Slot& slot, RowKind kind);
  void set(const Slot& slot, Word key, SnapshotValue value);
  void set_event_field(TraceRow& row, Word key, SnapshotValue value);
  std::uint16_t stream_number(std::uint64_t handle);

  SnapshotLimits limits_;
  TraceRange range_;
  std::map<std::uint32_t, RangedTrace> ranged_traces_;  ///< by the sequence of the trace
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> text_numbers_;
  /// PyTorch writes a list of frames for each event, but few of them differ. Sequences that are equal lists
  /// of frames have the same place in lists_.
  ChunkedRows<std::uint32_t> list_of_;  ///< for each sequence, its place in lists_
  ChunkedRows<List> lists_;
  std::vector<std::uint32_t> unused_lists_;
  std::unordered_multimap<std::size_t, std::uint32_t> frames_by_hash_;  ///< places of lists of frames
  ChunkedRows<Slot> slots_;                                             ///< a slot for each dictionary
  std::deque<Entries> open_;
  std::vector<std::uint32_t> unused_open_;
  std::vector<std::uint32_t> unused_slots_, unused_events_;  ///< of events that are not stored
  ChunkedRows<TraceRow> events_;
  std::unordered_map<const TraceRow*, SnapshotValue> metadata_;      ///< metadata of the events that have any
  std::unordered_map<std::uint64_t, std::uint16_t> stream_numbers_;  ///< numbers by the handle of the driver
  std::uint64_t last_handle_ = 0;  ///< cached, because most events are on the stream of the previous event
  std::uint16_t last_stream_ = 0;
  ChunkedRows<FrameRow> frames_;
  ChunkedRows<SegmentRow> segments_;
  ChunkedRows<BlockRow> blocks_;
  std::map<std::uint32_t, std::uint64_t> unknown_actions_, unknown_states_;  ///< counts by index of the text
  std::uint64_t items_ = 0, other_entries_ = 0;
};

}  // namespace molgauge::allocator
