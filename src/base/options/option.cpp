#include "base/options/option.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/home.h"
#include "base/options/rows.h"

namespace molgauge::options {
namespace {

template <typename Value>
std::string text_of(const Value& value) {
  return fmt::format("{}", value);
}

template <typename Number>
std::string text_of(const std::optional<Number>& value) {
  return value ? fmt::format("{}", *value) : "default";
}

std::string text_of(const ConstChoiceField& value) { return value.word(); }

std::string text_of(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

}  // namespace

std::string folder_in_home(const char* name) {
  try {
    return (home_folder() / name).string();
  } catch (const Error&) {
    return "";
  }
}

const Option* find_option(std::span<const Option> options, std::string_view name) {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const Option& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

const Option& option_named(std::span<const Option> options, std::string_view name) {
  const Option* const found = find_option(options, name);
  if (found == nullptr) {
    throw std::logic_error(fmt::format("there is no option '{}'", name));
  }
  return *found;
}

std::string to_text(const ConstSlot& slot) {
  return std::visit([](const auto& value) { return text_of(*value); }, slot);
}

}  // namespace molgauge::options
