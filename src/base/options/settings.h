#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/option.h"
#include "base/options/value.h"

/// Setting and checking options.
namespace molgauge::options {

/// Sets the option with this key in the section. Throws UsageError if there is no such option or if the value
/// has the wrong type. For an unknown option, the message lists the available options. `owners`: the subject
/// of this message, such as the name of the section.
void set(const MutableView& request, Section section, const char* owners, const std::string& key,
         const Value& value);

/// Sets the option, or appends a value if the option is a list. Throws UsageError with the key if the value
/// has the wrong type.
void assign(const MutableView& request, const Option& option, const std::string& key, const Value& value);

/// Returns the keys of a section, in the order of the rows.
std::vector<std::string> keys_of(std::span<const Option> options, Section section);

/// Returns a message if a number or a text is out of range: "0 is out of range. Give a whole number from 1 to
/// 10". Returns nothing if the value is in range, the option has no range, or an optional has no value.
std::optional<std::string> out_of_range(const Option& option, const ConstSlot& slot);

/// These functions check one option, or all options. They throw UsageError if a value is out of its range:
/// "batch-size: 0 is out of range. Give a whole number from 1 to 10000000".
void require_in_range(const View& request, std::string_view name);
void require_ranges(const View& request);

/// Whether the condition holds if its other option has this value.
bool is_met(const Condition& condition, const std::string& value);

/// Whether the condition fails for a request. Returns false if the request does not have the other option.
bool is_broken(const View& request, const Condition& condition);

/// Returns the first failed condition, because of which the option has no effect. Returns null if the option
/// has an effect.
const Condition* broken_condition(const View& request, const Option& option);

/// Explains why an option has no effect, for example "has no effect with --loss bce: it belongs to the loss
/// dpo". `dashes`: the prefix of option names in the text.
std::string explain(const View& request, const Condition& broken, std::string_view dashes);

/// Throws UsageError if an option differs from `defaults` but has no effect because of the value of the
/// option `deciding`.
void require_effect(const View& request, const View& defaults, std::string_view deciding);

}  // namespace molgauge::options
