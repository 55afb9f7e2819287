#include "base/options/settings.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/core/text/nearest_name.h"

namespace molgauge::options {
namespace {

[[noreturn]] void refuse(const std::string& wanted, const Value& value) {
  const bool is_text = std::holds_alternative<std::string>(value);
  const std::string given = is_text ? fmt::format("the text \"{}\"", to_text(value)) : to_text(value);
  throw UsageError(fmt::format("takes {}, not {}", wanted, given));
}

/// Describes the numbers that an option accepts, for messages.
std::string numbers_of(const Option& option, const char* if_unlimited) {
  return option.range ? option.range->words() : if_unlimited;
}

void assign(bool& field, const Option& /*option*/, const Value& value) {
  const auto* const held = std::get_if<bool>(&value);
  if (held == nullptr) {
    refuse("true or false", value);
  }
  field = *held;
}

void assign(std::size_t& field, const Option& option, const Value& value) {
  if (const auto* const size = std::get_if<std::string>(&value); size != nullptr && option.unit == kBytes) {
    field = parse_bytes(*size);
    return;
  }
  const auto* const held = std::get_if<std::int64_t>(&value);
  if (held == nullptr || *held < 0) {
    refuse(numbers_of(option, "a whole number"), value);
  }
  field = static_cast<std::size_t>(*held);
}

void assign(double& field, const Option& option, const Value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) {
    field = static_cast<double>(*whole);
  } else if (const auto* const held = std::get_if<double>(&value)) {
    field = *held;
  } else {
    refuse(numbers_of(option, "a number"), value);
  }
}

void assign(std::string& field, const Option& option, const Value& value) {
  if (const auto* const held = std::get_if<std::string>(&value)) {
    field = *held;
  } else if (std::holds_alternative<std::int64_t>(value) && option.range) {
    field = to_text(value);  // an unquoted number in TOML, such as 4 instead of "4"
  } else {
    refuse("a text", value);
  }
}

template <typename Number>
void assign(std::optional<Number>& field, const Option& option, const Value& value) {
  assign(field.emplace(), option, value);
}

void assign(const ChoiceField& field, const Option& option, const Value& value) {
  const auto* const word = std::get_if<std::string>(&value);
  if (word == nullptr || !field.set(*word)) {
    const std::vector<std::string> words(option.words().begin(), option.words().end());
    throw UsageError(fmt::format("takes {}, not {}{}", fmt::join(words, ", "), to_text(value),
                                 did_you_mean(to_text(value), words)));
  }
}

/// Appends a value to the list.
void assign(std::vector<std::string>& field, const Option& /*option*/, const Value& value) {
  field.push_back(to_text(value));
}

bool is_whole_number_within(const NumericRange& range, const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end && range.holds(number);
}

template <typename Held>
bool is_taken(const Option& option, const Held& held) {
  if constexpr (std::is_same_v<Held, std::size_t> || std::is_same_v<Held, double>) {
    return !option.range || option.range->holds(held);
  } else if constexpr (std::is_same_v<Held, std::string>) {
    return !option.range ||
           std::find(option.choices.begin(), option.choices.end(), held) != option.choices.end() ||
           is_whole_number_within(*option.range, held);
  } else if constexpr (std::is_same_v<Held, std::optional<std::size_t>> ||
                       std::is_same_v<Held, std::optional<double>>) {
    return !held || is_taken(option, *held);
  } else {
    return true;
  }
}

/// Returns the value of the option as text. For a flag that is not set, the text is empty.
std::string text_of(const View& request, std::string_view option) {
  const ConstSlot slot = request.slot(option_named(request.options, option));
  if (const auto* const flag = std::get_if<const bool*>(&slot)) {
    return **flag ? "true" : "";
  }
  return to_text(slot);
}

bool differ(const ConstSlot& one, const ConstSlot& other) {
  return std::visit(
      [&](const auto& value) { return *value != *std::get<std::decay_t<decltype(value)>>(other); }, one);
}

}  // namespace

std::vector<std::string> keys_of(std::span<const Option> options, Section section) {
  std::vector<std::string> keys;
  for (const Option& option : options) {
    if (option.specification.section == section) {
      keys.emplace_back(option.key_in_specification());
    }
  }
  return keys;
}

void set(const MutableView& request, Section section, const char* owners, const std::string& key,
         const Value& value) {
  const auto option =
      std::find_if(request.options.begin(), request.options.end(), [&](const Option& candidate) {
        return candidate.specification.section == section && candidate.key_in_specification() == key;
      });
  if (option == request.options.end()) {
    const std::vector<std::string> keys = keys_of(request.options, section);
    throw UsageError(fmt::format("{} have no option '{}'. Available: {}{}", owners, key,
                                 fmt::join(keys, ", "), did_you_mean(key, keys)));
  }
  assign(request, *option, key, value);
}

void assign(const MutableView& request, const Option& option, const std::string& key, const Value& value) {
  try {
    std::visit([&](const auto& field) { assign(*field, option, value); }, request.slot(option));
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("'{}' {}", key, problem.what()));
  }
}

std::optional<std::string> out_of_range(const Option& option, const ConstSlot& slot) {
  if (std::visit([&](const auto& held) { return is_taken(option, *held); }, slot)) {
    return std::nullopt;
  }
  const std::string words = option.range->words();
  return fmt::format(
      "{} is out of range. Give {}", to_text(slot),
      option.choices.empty() ? words : fmt::format("{}, or {}", words, fmt::join(option.choices, ", ")));
}

void require_in_range(const View& request, std::string_view name) {
  const Option& option = option_named(request.options, name);
  if (const auto problem = out_of_range(option, request.slot(option))) {
    throw UsageError(fmt::format("{}: {}", name, *problem));
  }
}

void require_ranges(const View& request) {
  for (const Option& option : request.options) {
    require_in_range(request, option.name);
  }
}

bool is_met(const Condition& condition, const std::string& value) {
  const bool is_one_of =
      condition.values.empty()
          ? !value.empty()
          : std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
  return is_one_of == condition.is_wanted;
}

bool is_broken(const View& request, const Condition& condition) {
  return find_option(request.options, condition.option) != nullptr &&
         !is_met(condition, text_of(request, condition.option));
}

const Condition* broken_condition(const View& request, const Option& option) {
  const auto broken =
      std::find_if(option.conditions.begin(), option.conditions.end(), [&](const Condition& condition) {
        return !condition.option.empty() && !is_met(condition, text_of(request, condition.option));
      });
  return broken == option.conditions.end() ? nullptr : &*broken;
}

std::string explain(const View& request, const Condition& broken, std::string_view dashes) {
  const std::string value = text_of(request, broken.option);
  // A flag such as --restart is given on the command line if its field is false.
  const bool is_absent = value.empty() != option_named(request.options, broken.option).clears;
  return fmt::format("has no effect {} {}{}{}{}: {}", is_absent ? "without" : "with", dashes, broken.option,
                     is_absent || broken.values.empty() ? "" : " ", broken.values.empty() ? "" : value,
                     broken.remark);
}

void require_effect(const View& request, const View& defaults, std::string_view deciding) {
  for (const Option& option : request.options) {
    const Condition* const broken = broken_condition(request, option);
    if (broken != nullptr && broken->option == deciding &&
        differ(request.slot(option), defaults.slot(option))) {
      throw UsageError(fmt::format("{} {}", option.name, explain(request, *broken, "")));
    }
  }
}

}  // namespace molgauge::options
