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

bool RangedTrace::is_before(const TracePoint& point, std::uint64_t number) const {
  if (point.is_time && first_time_us_ == 0) {
    throw InputError(
        "the events have no times. Give the numbers of events to --from and --to, for example --from 20000");
  }
  return (point.is_time ? elapsed_ : number) < point.value;
}

bool RangedTrace::take(const TraceRow& row) {
  const std::uint64_t number = events_++;
  if (row.time_us > 0) {
    first_time_us_ = first_time_us_ == 0 ? row.time_us : first_time_us_;
    elapsed_ = std::max(elapsed_, row.time_us - std::min(row.time_us, first_time_us_));
  }
  if (range_.from && is_before(*range_.from, number)) {
    leave_out_first(row);
    return false;
  }
  if (after_ > 0 || (range_.to && !is_before(*range_.to, number))) {
    ++after_;
    note_later(number, row);
    return false;
  }
  return true;
}

void RangedTrace::leave_out_first(const TraceRow& row) {
  ++before_;
  note_earlier(row);
}

void RangedTrace::note_earlier(const TraceRow& row) {
  if (action_of(row) == Word::alloc) {
    frames_before_[row.address] = row.frames;
  } else if (action_of(row) == Word::free_completed) {
    frames_before_.erase(row.address);
  }
}

void RangedTrace::note_later(std::uint64_t number, const TraceRow& row) {
  later_reserve_change_ += reserve_change(row);
  const auto begin = [&](auto& open) {
    open[row.address] = number;
    later_[number] = row;
  };
  const auto end = [&](auto& open) {
    if (const auto found = open.find(row.address); found != open.end()) {
      later_.erase(found->second);
      open.erase(found);
    } else {
      later_[number] = row;
    }
  };
  switch (action_of(row)) {
    case Word::alloc:
      return begin(later_blocks_);
    case Word::free_completed:
      return end(later_blocks_);
    case Word::segment_alloc:
    case Word::segment_map:
      return begin(later_segments_);
    case Word::segment_free:
    case Word::segment_unmap:
      return end(later_segments_);
    default:
      return;
  }
}

SnapshotTables::SnapshotTables(const SnapshotLimits& limits, const TraceRange& range)
    : limits_(limits), range_(range) {
  sequence({});  // sequence 0 is empty
  for (const auto word : kWords) {
    text(word);
  }
  stream_number(0);  // events that name no stream belong to stream 0
}

void SnapshotTables::require_room(std::uint64_t count) const {
  if (count >= limits_.values) {
    throw InputError(fmt::format(
        "more than {} values of a kind. Read a part of the trace with --from and --to", limits_.values));
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
  require_room(list_of_.size());
  require_room(items_ += items.size());
  if (unused_lists_.empty()) {
    unused_lists_.push_back(add_row(lists_));
  }
  lists_[unused_lists_.back()].items = std::move(items);
  list_of_.push_back(unused_lists_.back());
  unused_lists_.pop_back();
  return {Kind::sequence, list_of_.size() - 1};
}

SnapshotValue SnapshotTables::dictionary() {
  if (unused_open_.empty()) {
    unused_open_.push_back(add_row(open_));
  }
  if (unused_slots_.empty()) {
    require_room(slots_.size());
    unused_slots_.push_back(add_row(slots_));
  }
  const std::uint32_t number = unused_slots_.back();
  unused_slots_.pop_back();
  slots_[number] = {RowKind::open, unused_open_.back()};
  unused_open_.pop_back();
  return {Kind::dictionary, number};
}

void SnapshotTables::append(SnapshotValue sequence, std::span<const SnapshotValue> items) {
  if (!sequence.is(Kind::sequence)) {
    throw InputError("items are appended to something that is not a list");
  }
  List& list = lists_[list_of_[sequence.index()]];
  if (list.frames != 0) {
    throw InputError("a list of frames changes after its use");
  }
  if (!items.empty() && event(items.front()) != nullptr) {
    return append_events(static_cast<std::uint32_t>(sequence.index()), items);
  }
  require_room(items_ += items.size());
  list.items.insert(list.items.end(), items.begin(), items.end());
}

void SnapshotTables::append_events(std::uint32_t trace, std::span<const SnapshotValue> items) {
  RangedTrace& ranged = ranged_traces_.try_emplace(trace, range_).first->second;
  auto& stored = lists_[list_of_[trace]].items;
  for (const SnapshotValue item : items) {
    const TraceRow* const row = event(item);
    if (row != nullptr && !ranged.take(*row)) {
      remove_event(item.index());
      continue;
    }
    if (stored.size() >= limits_.events) {
      leave_out_first_half(trace, ranged);
    }
    require_room(++items_);
    stored.push_back(item);
  }
}

/// Makes room for the end of a long trace, which is the part before memory ran out.
void SnapshotTables::leave_out_first_half(std::uint32_t trace, RangedTrace& ranged) {
  auto& stored = lists_[list_of_[trace]].items;
  const auto half = stored.begin() + static_cast<std::ptrdiff_t>((stored.size() + 1) / 2);
  std::for_each(stored.begin(), half, [&](const SnapshotValue item) {
    if (const TraceRow* const row = event(item)) {
      ranged.leave_out_first(*row);
      remove_event(item.index());
    }
  });
  items_ -= static_cast<std::uint64_t>(half - stored.begin());
  stored.erase(stored.begin(), half);
}

/// Makes the place of an event free for another event. The memo may still refer to the event, but no snapshot
/// uses an event twice.
void SnapshotTables::remove_event(std::size_t dictionary) {
  const std::uint32_t row = slots_[dictionary].row;
  metadata_.erase(&events_[row]);
  events_[row] = {};
  unused_events_.push_back(row);
  unused_slots_.push_back(static_cast<std::uint32_t>(dictionary));
}

const RangedTrace* SnapshotTables::outside_range(SnapshotValue trace) const {
  const auto found = trace.is(Kind::sequence) ? ranged_traces_.find(static_cast<std::uint32_t>(trace.bits))
                                              : ranged_traces_.end();
  const bool is_whole = found == ranged_traces_.end() || (range_.is_whole() && found->second.before() == 0);
  return is_whole ? nullptr : &found->second;
}

/// Returns the number of a list of frames. Lists with the same items get the same number and place.
std::uint32_t SnapshotTables::frames_number(SnapshotValue value) {
  const std::uint32_t given = sequence_number(value);
  if (given == 0) {
    return 0;
  }
  List& list = lists_[list_of_[given]];
  if (list.frames != 0) {
    return list.frames;
  }
  auto& items = list.items;
  std::size_t hash = items.size();
  for (const SnapshotValue item : items) {
    hash = (hash ^ item.bits) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  const auto [begin, end] = frames_by_hash_.equal_range(hash);
  const auto same =
      std::find_if(begin, end, [&](const auto& entry) { return lists_[entry.second].items == items; });
  if (same == end) {
    frames_by_hash_.emplace(hash, list_of_[given]);
    return list.frames = given;
  }
  items_ -= items.size();
  std::vector<SnapshotValue>().swap(items);  // an assignment would keep the memory
  unused_lists_.push_back(list_of_[given]);
  list_of_[given] = same->second;
  return lists_[same->second].frames;
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

std::uint32_t SnapshotTables::unused_or_new_event() {
  if (unused_events_.empty()) {
    return add_row(events_);
  }
  const std::uint32_t row = unused_events_.back();
  unused_events_.pop_back();
  return row;
}

void SnapshotTables::turn_into_row(Slot& slot, RowKind kind) {
  const std::uint32_t open = slot.row;
  slot.kind = kind;
  slot.row = kind == RowKind::event     ? unused_or_new_event()
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
        segments_[slot.row].stream = stream_number(number_of(value));
        return;
      }
      return set_field(segments_[slot.row], key, value);
    case RowKind::block:
      set_field(blocks_[slot.row], key,
                key == Word::frames ? SnapshotValue{Kind::sequence, frames_number(value)} : value);
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
      row.stream = stream_number(number_of(value));
      break;
    case Word::frames:
      row.frames = frames_number(value);
      break;
    case Word::time_us:
      row.time_us = number_of(value);
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
