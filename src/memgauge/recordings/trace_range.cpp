#include "memgauge/recordings/trace_range.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::allocator {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 4> kMicroseconds = {
    {{"us", 1}, {"ms", 1e3}, {"s", 1e6}, {"min", 6e7}}};
constexpr double kLongest = 1e15;  // microseconds, 31 years

std::optional<TracePoint> parse_point(const char* option, const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  const char* const end = text.data() + text.size();
  TracePoint point;
  if (const auto [rest, problem] = std::from_chars(text.data(), end, point.value);
      problem == std::errc{} && rest == end) {
    return point;
  }
  double count = 0;
  const auto [rest, problem] = std::from_chars(text.data(), end, count, std::chars_format::fixed);
  for (const auto& [unit, microseconds] : kMicroseconds) {
    if (problem == std::errc{} && std::string_view(rest, end) == unit && count >= 0 &&
        count * microseconds <= kLongest) {
      return TracePoint{true, static_cast<std::uint64_t>(std::llround(count * microseconds))};
    }
  }
  throw UsageError(
      fmt::format("{} {}: is neither the number of an event, for example 20000, nor a time since the first "
                  "event, for example 300ms, 1.5s or 2min",
                  option, text));
}

}  // namespace

TraceRange parse_trace_range(const std::string& from, const std::string& to) {
  const TraceRange range{parse_point("--from", from), parse_point("--to", to)};
  if (range.from && range.to && range.from->is_time == range.to->is_time &&
      range.from->value >= range.to->value) {
    throw UsageError(
        fmt::format("--from {} --to {}: the range contains no event. Set --to after --from", from, to));
  }
  return range;
}

}  // namespace molgauge::allocator
