#include "memgauge/recordings/snapshot_rows.h"

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::allocator {

std::uint64_t number_of(SnapshotValue value) {
  return value.is(SnapshotValue::Kind::integer) || value.is(SnapshotValue::Kind::boolean) ? value.bits : 0;
}

std::uint64_t whole_number(Word key, SnapshotValue value) {
  if (!value.is(SnapshotValue::Kind::integer)) {
    throw InputError(fmt::format("'{}' is not a whole number of at most 64 bits. Dump the snapshot again",
                                 kWords.at(static_cast<std::size_t>(key))));
  }
  return value.bits;
}

std::uint64_t byte_count(Word key, SnapshotValue value) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 62U;
  const std::uint64_t bytes = whole_number(key, value);
  if (bytes > kMaxBytes) {
    throw InputError(fmt::format("'{}' is {}, which cannot be a number of bytes. Dump the snapshot again",
                                 kWords.at(static_cast<std::size_t>(key)), static_cast<std::int64_t>(bytes)));
  }
  return bytes;
}

std::uint32_t text_or_none(SnapshotValue value) {
  return value.is(SnapshotValue::Kind::text) ? static_cast<std::uint32_t>(value.bits) : kNoText;
}

bool is_action(std::uint32_t text) {
  switch (Word{text}) {
    case Word::alloc:
    case Word::free_requested:
    case Word::free_completed:
    case Word::segment_alloc:
    case Word::segment_free:
    case Word::segment_map:
    case Word::segment_unmap:
    case Word::oom:
    case Word::snapshot:
      return true;
    default:
      return false;
  }
}

bool is_block_state(std::uint32_t text) {
  switch (Word{text}) {
    case Word::active_allocated:
    case Word::active_pending_free:
    case Word::active_awaiting_free:
    case Word::inactive:
      return true;
    default:
      return false;
  }
}

std::uint32_t text_number(SnapshotValue value) {
  return value.is(SnapshotValue::Kind::text) ? static_cast<std::uint32_t>(value.bits)
                                             : static_cast<std::uint32_t>(Word::count);
}

std::uint32_t sequence_number(SnapshotValue value) {
  return value.is(SnapshotValue::Kind::sequence) ? static_cast<std::uint32_t>(value.bits) : 0;
}

void set_field(FrameRow& row, Word key, SnapshotValue value) {
  if (key == Word::filename) {
    row.filename = text_number(value);
  } else if (key == Word::name) {
    row.name = text_number(value);
  } else if (key == Word::line) {
    row.line = number_of(value);
  } else if (value.is(SnapshotValue::Kind::text) && key == Word::fx_node_name) {
    row.fx_node = text_number(value);
  } else if (value.is(SnapshotValue::Kind::text) && key == Word::fx_original_trace) {
    row.fx_trace = text_number(value);
  }
}

void set_field(SegmentRow& row, Word key, SnapshotValue value) {
  switch (key) {
    case Word::address:
      row.address = whole_number(key, value);
      break;
    case Word::total_size:
      row.total_bytes = byte_count(key, value);
      break;
    case Word::device:
      row.device = whole_number(key, value);
      break;
    case Word::segment_type:
      row.is_small = text_number(value) == static_cast<std::uint32_t>(Word::small);
      break;
    case Word::is_expandable:
      row.is_expandable = value.is(SnapshotValue::Kind::boolean) && value.bits != 0;
      break;
    case Word::segment_pool_id:
      row.pool = sequence_number(value);
      break;
    case Word::blocks:
      row.blocks = sequence_number(value);
      break;
    default:
      break;
  }
}

void set_field(BlockRow& row, Word key, SnapshotValue value) {
  switch (key) {
    case Word::address:
      row.address = whole_number(key, value);
      break;
    case Word::size:
      row.bytes = byte_count(key, value);
      break;
    case Word::requested_size:
      row.requested = byte_count(key, value);
      break;
    case Word::state:
      row.state = text_number(value);
      break;
    case Word::frames:
      row.frames = sequence_number(value);
      break;
    case Word::history:
      row.history = sequence_number(value);
      break;
    default:
      break;
  }
}

}  // namespace molgauge::allocator
