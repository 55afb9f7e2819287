#include "memgauge/recordings/snapshot_tables.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/printable.h"

namespace molgauge::allocator {
namespace {

using Kind = SnapshotValue::Kind;

std::uint64_t number(SnapshotValue value) {
  return value.is(Kind::integer) || value.is(Kind::boolean) ? value.bits : 0;
}

/// Reads a byte count or an address. PyTorch writes integers, but other programs may write anything.
std::uint64_t whole_number(Word key, SnapshotValue value) {
  if (!value.is(Kind::integer)) {
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

constexpr std::uint32_t kNoText = std::numeric_limits<std::uint32_t>::max();

std::uint32_t text_or_none(SnapshotValue value) {
  return value.is(Kind::text) ? static_cast<std::uint32_t>(value.bits) : kNoText;
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
  return value.is(Kind::text) ? static_cast<std::uint32_t>(value.bits)
                              : static_cast<std::uint32_t>(Word::count);
}

/// Sequence 0 is empty, and also means "none".
std::uint32_t sequence_number(SnapshotValue value) {
  return value.is(Kind::sequence) ? static_cast<std::uint32_t>(value.bits) : 0;
}

bool is_true(SnapshotValue value) { return value.is(Kind::boolean) && value.bits != 0; }

void set_field(FrameRow& row, Word key, SnapshotValue value) {
  if (key == Word::filename) {
    row.filename = text_number(value);
  } else if (key == Word::name) {
    row.name = text_number(value);
  } else if (key == Word::line) {
    row.line = number(value);
  } else if (value.is(Kind::text) && key == Word::fx_node_name) {
    row.fx_node = text_number(value);
  } else if (value.is(Kind::text) && key == Word::fx_original_trace) {
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
      row.is_expandable = is_true(value);
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

/// The kind of a dictionary that has this key. RowKind::open if several kinds have the key.
SnapshotTables::RowKind kind_by(Word key) {
  switch (key) {
    case Word::action:
      return SnapshotTables::RowKind::event;
    case Word::filename:
      return SnapshotTables::RowKind::frame;
    case Word::total_size:
    case Word::segment_type:
      return SnapshotTables::RowKind::segment;
    case Word::state:
      return SnapshotTables::RowKind::block;
    default:
      return SnapshotTables::RowKind::open;
  }
}

template <typename Rows>
std::uint32_t add_row(Rows& rows) {
  rows.emplace_back();
  return static_cast<std::uint32_t>(rows.size() - 1);
}

}  // namespace

SnapshotTables::SnapshotTables(const SnapshotLimits& limits) : limits_(limits) {
  sequences_.emplace_back();
  for (const auto word : kWords) {
    text(word);
  }
  stream_number(0);  // events that name no stream belong to stream 0
}

void SnapshotTables::require_room(std::uint64_t count) const {
  if (count >= limits_.values) {
    throw InputError(fmt::format("more than {} values of a kind", limits_.values));
  }
}

SnapshotValue SnapshotTables::text(std::string_view characters) {
  auto found = text_numbers_.find(characters);
  if (found == text_numbers_.end()) {
    if (texts_.size() >= limits_.texts) {
      throw InputError(fmt::format("more than {} different texts", limits_.texts));
    }
    texts_.emplace_back(characters);
    found = text_numbers_.emplace(texts_.back(), static_cast<std::uint32_t>(texts_.size() - 1)).first;
  }
  return {Kind::text, found->second};
}

SnapshotValue SnapshotTables::sequence(std::vector<SnapshotValue> items) {
  require_room(sequences_.size());
  require_room(items_ += items.size());
  sequences_.emplace_back() = std::move(items);
  return {Kind::sequence, sequences_.size() - 1};
}

SnapshotValue SnapshotTables::dictionary() {
  require_room(slots_.size());
  if (unused_open_.empty()) {
    unused_open_.push_back(add_row(open_));
  }
  slots_.push_back({RowKind::open, unused_open_.back()});
  unused_open_.pop_back();
  return {Kind::dictionary, slots_.size() - 1};
}

void SnapshotTables::append(SnapshotValue sequence, std::span<const SnapshotValue> items) {
  if (!sequence.is(Kind::sequence)) {
    throw InputError("items are appended to something that is not a list");
  }
  require_room(items_ += items.size());
  auto& target = sequences_[sequence.index()];
  target.insert(target.end(), items.begin(), items.end());
}

void SnapshotTables::assign(SnapshotValue dictionary, std::span<const SnapshotValue> entries) {
  if (!dictionary.is(Kind::dictionary)) {
    throw InputError("entries are put into something that is not a dict");
  }
  Slot& slot = slots_[dictionary.index()];
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    assign(slot, entries[i], entries[i + 1]);
  }
}

void SnapshotTables::assign(Slot& slot, SnapshotValue key, SnapshotValue value) {
  const Word word = key.is(Kind::text) && key.bits < kWords.size()
                        ? Word{static_cast<std::uint32_t>(key.bits)}
                        : Word::count;
  if (slot.kind == RowKind::open && kind_by(word) != RowKind::open) {
    turn_into_row(slot, kind_by(word));
  }
  if (slot.kind != RowKind::open) {
    set(slot, word, value);
    return;
  }
  if (++other_entries_ > limits_.other_entries) {
    throw InputError("more entries than are allowed in dicts that are not part of a snapshot");
  }
  open_[slot.row].emplace_back(key, value);
}

void SnapshotTables::turn_into_row(Slot& slot, RowKind kind) {
  const std::uint32_t open = slot.row;
  slot.kind = kind;
  slot.row = kind == RowKind::event     ? add_row(events_)
             : kind == RowKind::frame   ? add_row(frames_)
             : kind == RowKind::segment ? add_row(segments_)
                                        : add_row(blocks_);
  const Entries earlier = std::exchange(open_[open], {});
  unused_open_.push_back(open);
  other_entries_ -= earlier.size();
  for (const auto& [key, value] : earlier) {
    if (key.is(Kind::text) && key.bits < kWords.size()) {
      set(slot, Word{static_cast<std::uint32_t>(key.bits)}, value);
    }
  }
}

void SnapshotTables::set(const Slot& slot, Word key, SnapshotValue value) {
  switch (slot.kind) {
    case RowKind::event:
      return set_event_field(events_[slot.row], key, value);
    case RowKind::frame:
      return set_field(frames_[slot.row], key, value);
    case RowKind::segment:
      if (key == Word::stream) {
        segments_[slot.row].stream = stream_number(number(value));
        return;
      }
      return set_field(segments_[slot.row], key, value);
    case RowKind::block:
      set_field(blocks_[slot.row], key, value);
      if (key == Word::state && !is_block_state(blocks_[slot.row].state)) {
        ++unknown_states_[text_or_none(value)];
      }
      return;
    case RowKind::open:
      return;
  }
}

void SnapshotTables::set_event_field(TraceRow& row, Word key, SnapshotValue value) {
  switch (key) {
    case Word::action: {
      const std::uint32_t text = text_number(value);
      if (!is_action(text)) {
        ++unknown_actions_[text_or_none(value)];
      }
      row.action = static_cast<std::uint8_t>(std::min<std::uint32_t>(text, kWords.size()));
      break;
    }
    case Word::addr:
    case Word::device_free:  // for out-of-memory events, `address` stores the free bytes
      row.address = whole_number(key, value);
      break;
    case Word::size:
      row.bytes = byte_count(key, value);
      break;
    case Word::stream:
      row.stream = stream_number(number(value));
      break;
    case Word::frames:
      row.frames = sequence_number(value);
      break;
    case Word::time_us:
      row.time_us = number(value);
      break;
    case Word::user_metadata:
      if (value.is(Kind::dictionary) || (value.is(Kind::text) && !text_of(text_number(value)).empty())) {
        require_room(metadata_.size());
        metadata_[&row] = value;
      }
      break;
    default:
      break;
  }
}

std::uint16_t SnapshotTables::stream_number(std::uint64_t handle) {
  if (handle == last_handle_ && !stream_numbers_.empty()) {
    return last_stream_;
  }
  if (stream_numbers_.size() > std::numeric_limits<std::uint16_t>::max() &&
      !stream_numbers_.contains(handle)) {
    throw InputError("more than 65536 streams");
  }
  last_handle_ = handle;
  last_stream_ =
      stream_numbers_.try_emplace(handle, static_cast<std::uint16_t>(stream_numbers_.size())).first->second;
  return last_stream_;
}

SnapshotValue SnapshotTables::metadata_of(const TraceRow& row) const {
  const auto found = metadata_.find(&row);
  return found == metadata_.end() ? SnapshotValue{} : found->second;
}

std::vector<std::string> SnapshotTables::unknown_words() const {
  constexpr std::size_t kMaxListed = 5, kLongest = 40;
  const auto list = [&](const std::map<std::uint32_t, std::uint64_t>& words, std::string_view what) {
    std::string text;
    std::uint64_t all = 0;
    std::size_t listed = 0;
    for (const auto& [word, count] : words) {
      all += count;
      if (listed++ < kMaxListed) {
        text += fmt::format("{}{} with {}", text.empty() ? "" : ", ", count,
                            word == kNoText
                                ? "no text"
                                : "'" + printable(std::string(text_of(word).substr(0, kLongest))) + "'");
      }
    }
    return fmt::format("{} {}: {}{}", all, what, text, words.size() > kMaxListed ? ", ..." : "");
  };
  std::vector<std::string> notes;
  if (!unknown_actions_.empty()) {
    notes.push_back(list(unknown_actions_, "events of the file have an unknown action and are left out"));
  }
  if (!unknown_states_.empty()) {
    notes.push_back(list(unknown_states_, "blocks of the file have an unknown state and count as in use"));
  }
  return notes;
}

const SnapshotTables::Entries* SnapshotTables::entries(SnapshotValue value) const {
  return row(value, RowKind::open, open_);
}

SnapshotValue SnapshotTables::find(SnapshotValue dictionary, Word key) const {
  if (const Entries* all = entries(dictionary)) {
    for (const auto& [name, value] : *all) {
      if (name.is(Kind::text) && name.bits == static_cast<std::uint64_t>(key)) {
        return value;
      }
    }
  }
  return {};
}

}  // namespace molgauge::allocator
