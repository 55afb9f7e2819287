#include "base/command_line/option_values.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace molgauge::cli {
namespace {

template <typename Number>
bool is_all_of(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end;
}

/// The check functions return the reason why a value is refused, or an empty text if it is accepted.
std::string check_count(const std::string& text) {
  std::uint64_t count = 0;
  const bool padded = text.size() > 1 && text.front() == '0';
  return is_all_of(text, count) && !padded ? "" : "'" + text + "' is not a whole number of at least 0";
}

std::string check_number(const std::string& text) {
  double number = 0;
  return is_all_of(text, number) && std::isfinite(number) ? "" : "'" + text + "' is not a number";
}

std::string check_text(const std::string& text) {
  return text.empty() ? "is empty. Leave the option out, or give it a value" : "";
}

std::string unit_after(std::string_view unit) { return unit.empty() ? "" : fmt::format(" {}", unit); }

/// Checks whether the number in `text` lies in the range.
std::string check_within(const options::NumericRange& range, std::string_view unit, const std::string& text) {
  std::uint64_t count = 0;
  double number = 0;
  const bool held = range.kind == options::NumericRange::Kind::whole
                        ? is_all_of(text, count) && range.holds(count)
                        : is_all_of(text, number) && range.holds(number);
  return held ? "" : fmt::format("{} is out of range. Give {}{}", text, range.words(), unit_after(unit));
}

}  // namespace

void check_range(CLI::Option& option, const options::NumericRange& range, std::string_view unit) {
  std::string taken = range.interval();
  if (!taken.empty()) {
    taken.insert(taken.size() - 1, unit_after(unit));  // for example [1..1000 steps]
  }
  option.check(
      CLI::Validator([range, unit](std::string& text) { return check_within(range, unit, text); }, taken));
}

void check_option_values(CLI::App& command) {
  for (CLI::Option* const option : command.get_options()) {
    if (option->get_items_expected_max() == 0) {
      continue;  // a flag
    }
    if (option->get_name() == "--setting") {
      continue;  // an empty text selects the default settings of the allocator
    }
    const std::string type = option->get_type_name();
    const auto check = type.starts_with("UINT") || type.starts_with("INT") ? check_count
                       : type.starts_with("FLOAT")                         ? check_number
                                                                           : check_text;
    // CLI11 runs the checks in reverse order: the last added check runs first. This check of the type
    // therefore runs before the check of the range.
    option->check(CLI::Validator([check](std::string& text) { return check(text); }, ""));
  }
}

}  // namespace molgauge::cli
