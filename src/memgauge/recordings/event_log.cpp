#include "memgauge/recordings/event_log.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kMaxEventBytes = std::uint64_t{1} << 50;  // no card has a pebibyte
constexpr std::size_t kMaxStreams = 65'536;

}  // namespace

EventLog::EventLog() { origin("before the recording"); }

std::uint32_t EventLog::origin(std::string_view text) {
  return origin_under(std::string(text), text, nullptr);
}

std::uint32_t EventLog::origin(std::string_view text, const StackSummary& stack) {
  std::string key(text);
  for (const auto& frame : stack.frames) {
    key += '\n' + frame;
  }
  return origin_under(std::move(key), text, &stack);
}

std::uint32_t EventLog::origin_under(std::string key, std::string_view text, const StackSummary* stack) {
  const auto [entry, is_new] =
      origin_numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(origins_.size()));
  if (is_new) {
    origins_.emplace_back(text);
    if (stack != nullptr) {
      stacks_.resize(origins_.size());
      stacks_.back() = *stack;
    }
  }
  return entry->second;
}

std::uint32_t EventLog::next_allocation() {
  if (allocations_ >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4,294,967,295 allocations");
  }
  return static_cast<std::uint32_t>(allocations_++);
}

StreamNumber EventLog::stream_number(std::uint64_t handle) {
  const auto [entry, is_new] =
      stream_numbers_.try_emplace(handle, static_cast<StreamNumber>(stream_numbers_.size()));
  if (is_new && stream_numbers_.size() > kMaxStreams) {
    throw InputError(fmt::format("more than {} streams", kMaxStreams));
  }
  return entry->second;
}

void EventLog::add(EventKind kind, std::uint64_t bytes, std::uint32_t allocation, std::uint64_t stream,
                   std::uint32_t origin) {
  if (bytes > kMaxEventBytes) {
    throw InputError(fmt::format("a request of {} bytes is not a request to a card", bytes));
  }
  events_.push_back({bytes, allocation, stream_number(stream), origin, kind});
}

void EventLog::allocate(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream,
                        std::uint32_t origin) {
  const auto [entry, is_new] = living_.try_emplace(address, Living{0, false});
  if (!is_new) {
    throw InputError(
        fmt::format("the address {:#x} is given out although the block there was not freed", address));
  }
  entry->second.allocation = next_allocation();
  add(EventKind::allocate, bytes, entry->second.allocation, stream, origin);
}

EventLog::LivingTable::iterator EventLog::find_or_adopt(std::uint64_t address, std::uint64_t bytes,
                                                        std::uint64_t stream, std::uint32_t origin) {
  const auto [entry, is_new] = living_.try_emplace(address, Living{0, false});
  if (is_new) {
    entry->second.allocation = next_allocation();
    if (bytes > kMaxEventBytes) {
      throw InputError(fmt::format("a block of {} bytes is on no card", bytes));
    }
    if (const auto known = known_origins_.find(address); origin == kBefore && known != known_origins_.end()) {
      origin = known->second;
    }
    resident_addresses_.push_back(address);
    residents_.push_back(
        {bytes, entry->second.allocation, stream_number(stream), origin, EventKind::allocate});
  }
  return entry;
}

void EventLog::free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  const auto entry = find_or_adopt(address, bytes, stream, kBefore);
  if (entry->second.is_requested) {
    throw InputError(fmt::format("the address {:#x} is freed twice", address));
  }
  add(EventKind::free, bytes, entry->second.allocation, stream, kBefore);
  living_.erase(entry);
}

void EventLog::request_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  const auto entry = find_or_adopt(address, bytes, stream, kBefore);
  if (entry->second.is_requested) {
    throw InputError(fmt::format("the address {:#x} is freed twice", address));
  }
  entry->second.is_requested = true;
  add(EventKind::request_free, bytes, entry->second.allocation, stream, kBefore);
}

void EventLog::complete_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  const auto entry = find_or_adopt(address, bytes, stream, kBefore);
  const std::uint32_t allocation = entry->second.allocation;
  if (!events_.empty() && events_.back().kind == EventKind::request_free &&
      events_.back().allocation == allocation) {
    events_.back().kind =
        EventKind::free;  // no other stream used the block, so request and completion are one event
  } else {
    // If the recording began between the request to free and its completion, it contains only the completion.
    add(entry->second.is_requested ? EventKind::complete_free : EventKind::free, bytes, allocation, stream,
        kBefore);
  }
  living_.erase(entry);
}

void EventLog::out_of_memory(std::uint64_t bytes, std::uint64_t stream, std::uint32_t origin) {
  add(EventKind::out_of_memory, bytes, 0, stream, origin);
}

void EventLog::empty_cache() { add(EventKind::empty_cache, 0, 0, 0, kBefore); }

void EventLog::begin_phase(std::string_view name) { add(EventKind::begin_phase, 0, 0, 0, origin(name)); }

void EventLog::end_phase() { add(EventKind::end_phase, 0, 0, 0, kBefore); }

void EventLog::resident_at_end(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream,
                               std::uint32_t origin) {
  find_or_adopt(address, bytes, stream, origin);
}

Recording EventLog::finish() {
  Recording recording;
  recording.residents = residents_.size();
  recording.allocations = allocations_;
  recording.origins = std::move(origins_);
  recording.stacks = std::move(stacks_);
  if (!recording.stacks.empty()) {
    recording.stacks.resize(recording.origins.size());
  }
  recording.memory_events =
      static_cast<std::size_t>(std::count_if(events_.begin(), events_.end(), [](const MemoryEvent& event) {
        return event.kind != EventKind::begin_phase && event.kind != EventKind::end_phase &&
               event.kind != EventKind::empty_cache;
      }));
  // Inserts the residents into the vector of the events, because a copy of all events could need too much
  // memory.
  recording.events = std::move(events_);
  recording.events.insert(recording.events.begin(), residents_.begin(), residents_.end());
  *this = EventLog();
  return recording;
}

}  // namespace molgauge::allocator
