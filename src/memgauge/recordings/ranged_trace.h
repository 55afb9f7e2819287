#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "memgauge/recordings/snapshot_rows.h"
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

}  // namespace molgauge::allocator
