#include "molecules/pages/numbers.h"

#include <charconv>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::report {
namespace {

template <typename Number>
Number parse(const std::string& text, const char* what, const std::string& file, std::size_t line) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end) {
    throw InputError(fmt::format("{}:{}: '{}' is not {}", file, line, text.substr(0, 40), what));
  }
  return number;
}

}  // namespace

double parse_number(const std::string& text, const std::string& file, std::size_t line) {
  return parse<double>(text, "a number", file, line);
}

std::uint64_t parse_count(const std::string& text, const std::string& file, std::size_t line) {
  return parse<std::uint64_t>(text, "a whole number", file, line);
}

}  // namespace molgauge::report
