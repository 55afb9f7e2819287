#include "option_values.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/option_range.h"

namespace headroom::cli {
namespace {

template <typename Number>
bool is_all_of(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end;
}

/// What is wrong with a value; empty where nothing is.
std::string check_count(const std::string& text) {
  std::uint64_t count = 0;
  const bool padded = text.size() > 1 && text.front() == '0';
  return is_all_of(text, count) && !padded ? "" : "'" + text + "' is no whole number from 0 on";
}

std::string check_number(const std::string& text) {
  double number = 0;
  return is_all_of(text, number) && std::isfinite(number) ? "" : "'" + text + "' is no number";
}

std::string check_text(const std::string& text) {
  return text.empty() ? "is empty; leave the option out, or give it a value" : "";
}

/// `text` is a number that the first check has passed.
std::string check_range(const NumericRange& range, const std::string& text) {
  std::uint64_t count = 0;
  double number = 0;
  const bool held = range.kind == NumericRange::Kind::whole ? is_all_of(text, count) && range.holds(count)
                                                            : is_all_of(text, number) && range.holds(number);
  return held ? "" : fmt::format("{} is refused; it takes {}", text, range.words());
}

bool is_numeric(const std::string& type) {
  return type.starts_with("UINT") || type.starts_with("INT") || type.starts_with("FLOAT");
}

}  // namespace

void check_option_values(CLI::App& command) {
  for (CLI::Option* const option : command.get_options()) {
    if (option->get_items_expected_max() == 0) {
      continue;  // a flag
    }
    if (option->get_name() == "--setting") {
      continue;  // of an allocator: nothing stands for its own
    }
    const std::string type = option->get_type_name();
    const auto check = type.starts_with("UINT") || type.starts_with("INT") ? check_count
                       : type.starts_with("FLOAT")                         ? check_number
                                                                           : check_text;
    // Validators are called in the reverse order.
    if (const auto range = is_numeric(type) ? option_range(option->get_single_name()) : std::nullopt) {
      option->check(CLI::Validator([range](std::string& text) { return check_range(*range, text); },
                                   range->interval()));
    }
    option->check(CLI::Validator([check](std::string& text) { return check(text); }, ""));
  }
}

}  // namespace headroom::cli
