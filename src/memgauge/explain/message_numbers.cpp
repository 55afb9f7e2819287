#include "memgauge/explain/message_numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

namespace molgauge::allocator {
namespace {

constexpr double kMostBytes = 1e15;  ///< a larger figure is the result of an overflow

bool is_space(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

/// Bytes of a unit.
std::optional<double> unit_bytes(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 13> units = {{{"bytes", 1.0},
                                                                          {"byte", 1.0},
                                                                          {"KiB", 1024.0},
                                                                          {"MiB", 1048576.0},
                                                                          {"GiB", 1073741824.0},
                                                                          {"TiB", 1099511627776.0},
                                                                          {"PiB", 1125899906842624.0},
                                                                          {"EiB", 1152921504606846976.0},
                                                                          {"KB", 1024.0},
                                                                          {"MB", 1048576.0},
                                                                          {"GB", 1073741824.0},
                                                                          {"TB", 1099511627776.0},
                                                                          {"B", 1.0}}};
  for (const auto& [unit, bytes] : units) {
    if (text.starts_with(unit)) {
      return bytes;
    }
  }
  return std::nullopt;
}

/// Parses a size of any magnitude, in bytes.
std::optional<double> magnitude_at(std::string_view text) {
  const std::string_view number = trimmed_start(text);
  double value = 0;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) {
    return std::nullopt;
  }
  const auto unit = unit_bytes(trimmed_start(number.substr(static_cast<std::size_t>(end - number.data()))));
  return unit ? std::optional(value * *unit) : std::nullopt;
}

}  // namespace

std::string_view trimmed_start(std::string_view text) {
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}

std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::optional<std::uint64_t> size_at(std::string_view text) {
  const auto bytes = magnitude_at(text);
  return bytes && *bytes <= kMostBytes ? std::optional(static_cast<std::uint64_t>(std::llround(*bytes)))
                                       : std::nullopt;
}

bool is_oversized(std::string_view text) { return magnitude_at(text).value_or(0) > kMostBytes; }

std::string_view text_after(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  return at == std::string_view::npos ? std::string_view{} : text.substr(at + phrase.size());
}

std::string_view number_before(std::string_view text, std::string_view phrase) {
  const std::size_t at = text.find(phrase);
  if (at == std::string_view::npos) {
    return {};
  }
  const std::string_view before = trimmed_end(text.substr(0, at));
  const std::size_t unit = before.find_last_of(" \t\n");
  if (unit == std::string_view::npos) {
    return {};
  }
  const std::string_view number = trimmed_end(before.substr(0, unit));
  return text.substr(number.find_last_of(" \t\n(;,") + 1);
}

std::optional<std::uint64_t> size_after(std::string_view text, std::string_view phrase) {
  return size_at(text_after(text, phrase));
}

std::optional<std::uint64_t> size_before(std::string_view text, std::string_view phrase) {
  return size_at(number_before(text, phrase));
}

std::optional<std::uint64_t> size_in_line(std::string_view text, std::string_view label) {
  return size_after(text_after(text, label), ":");
}

std::optional<std::uint64_t> count_after(std::string_view text, std::string_view phrase) {
  const std::string_view rest = trimmed_start(text_after(text, phrase));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace molgauge::allocator
