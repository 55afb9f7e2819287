#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "memgauge/recordings/snapshot_value.h"
#include "memgauge/recordings/snapshot_words.h"

namespace molgauge::allocator {

/// An entry of `device_traces`. It has only 32 bytes, because there may be tens of millions of entries. Texts
/// are indices into SnapshotTables::texts.
struct TraceRow {
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t time_us = 0;  ///< microseconds since 1970, or 0 if not recorded
  std::uint32_t frames = 0;   ///< number of the sequence of frames, or 0 if there are none
  std::uint16_t stream = 0;   ///< number of the stream in this snapshot; 0 is the default stream
  std::uint8_t action = static_cast<std::uint8_t>(Word::count);
};

/// The action of an event. Word::count if it is unknown.
inline Word action_of(const TraceRow& row) {
  return row.action < kWords.size() ? Word{row.action} : Word::count;
}

/// The change of the reserved bytes by an event, modulo 2^64. Changes can be added and subtracted.
inline std::uint64_t reserve_change(const TraceRow& row) {
  switch (action_of(row)) {
    case Word::segment_alloc:
    case Word::segment_map:
      return row.bytes;
    case Word::segment_free:
    case Word::segment_unmap:
      return 0 - row.bytes;
    default:
      return 0;
  }
}

struct FrameRow {
  std::uint32_t filename = 0, name = 0;
  std::uint64_t line = 0;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  /// Texts about code from torch.compile. kNone if they are not stored.
  std::uint32_t fx_node = kNone, fx_trace = kNone;
};

struct SegmentRow {
  std::uint64_t address = 0, total_bytes = 0, device = 0;
  std::uint16_t stream = 0;  ///< number of the stream, as in TraceRow::stream
  std::uint32_t blocks = 0;  ///< number of the sequence of blocks, or 0 if there are none
  std::uint32_t pool = 0;    ///< number of the sequence that identifies the pool, or 0 if none
  bool is_small = false, is_expandable = false;
};

struct BlockRow {
  std::optional<std::uint64_t> address;
  std::uint64_t bytes = 0;
  std::optional<std::uint64_t> requested;
  std::uint32_t state = 0;
  std::uint32_t frames = 0;
  std::uint32_t history = 0;  ///< number of the sequence of allocations in this block, newest first. Only
                              ///< PyTorch 2.0 stores it
};

// The following functions read the values of dictionaries. Texts and sequences are indices into
// SnapshotTables.

/// The number of a missing text.
constexpr std::uint32_t kNoText = std::numeric_limits<std::uint32_t>::max();

/// Returns an integer, or 0 for other values.
std::uint64_t number_of(SnapshotValue value);
/// Returns an address. PyTorch writes integers, but other programs may write anything. Throws InputError for
/// other values.
std::uint64_t whole_number(Word key, SnapshotValue value);
/// Returns a number of bytes. Throws InputError if the value cannot be one.
std::uint64_t byte_count(Word key, SnapshotValue value);
/// Returns the index of a text. Word::count for other values.
std::uint32_t text_number(SnapshotValue value);
/// Returns the index of a text. kNoText for other values.
std::uint32_t text_or_none(SnapshotValue value);
/// Returns the index of a sequence. 0 for other values. Sequence 0 is empty.
std::uint32_t sequence_number(SnapshotValue value);
bool is_action(std::uint32_t text);
bool is_block_state(std::uint32_t text);

void set_field(FrameRow& row, Word key, SnapshotValue value);
void set_field(SegmentRow& row, Word key, SnapshotValue value);
void set_field(BlockRow& row, Word key, SnapshotValue value);

}  // namespace molgauge::allocator
