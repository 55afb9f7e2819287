#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/option.h"
#include "options/value.h"

/// Setting and checking options.
namespace headroom::options {

/// Sets the option that has this key in the section. Throws UsageError when there is no such option (naming
/// those there are; `owners`: whose options these are), or the value is of another type.
void set(const MutableView& request, Section section, const char* owners, const std::string& key,
         const Value& value);

/// Sets the option; of a list, one value more. Throws UsageError naming the key when the value is of another
/// type.
void assign(const MutableView& request, const Option& option, const std::string& key, const Value& value);

/// The keys of a section, in the order of the rows.
std::vector<std::string> keys_of(std::span<const Option> options, Section section);

/// What is wrong with the number or the choice that a slot holds: "0 is refused; it takes a whole number from
/// 1 to 10". Nothing where it is in range, has no range, or is an optional without a value.
std::optional<std::string> out_of_range(const Option& option, const ConstSlot& slot);

/// Throw UsageError, "batch-size: 0 is refused; it takes a whole number from 1 to 10000000", where one option
/// is out of its range, or any.
void require_in_range(const View& request, std::string_view name);
void require_ranges(const View& request);

/// Whether a condition holds where the option that decides has this value.
bool is_met(const Condition& condition, const std::string& value);

/// Why the option changes nothing beside the values of the others; null where it has an effect.
const Condition* broken_condition(const View& request, const Option& option);

/// "has no effect with --loss bce: it belongs to the loss dpo". `dashes`: what the names of options begin
/// with.
std::string explain(const View& request, const Condition& broken, std::string_view dashes);

/// Throws UsageError where an option has another value than in `defaults`, and no effect by the value of the
/// option `deciding`.
void require_effect(const View& request, const View& defaults, std::string_view deciding);

}  // namespace headroom::options
