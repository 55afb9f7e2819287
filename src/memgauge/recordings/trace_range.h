#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace molgauge::allocator {

/// A point in the trace of a device.
struct TracePoint {
  bool is_time = false;
  std::uint64_t value = 0;  ///< number of events before the point, or microseconds since the first event
};

/// The part of a trace to read. The events at `from` belong to the range. The events at `to` do not.
struct TraceRange {
  std::optional<TracePoint> from, to;

  bool is_whole() const { return !from && !to; }
};

/// Parses the values of --from and --to: a number of an event ("20000", the first event has the number 0), or
/// a time since the first event ("300ms", "1.5s", "2min"). An empty text sets no limit. Throws UsageError for
/// other texts, and if the range ends before it begins.
TraceRange parse_trace_range(const std::string& from, const std::string& to);

}  // namespace molgauge::allocator
