#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace headroom::experiment {

/// The value of an option as a specification writes it.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// Values by the option's name on the command line, without dashes in front ("dpo-beta").
using OptionValues = std::map<std::string, OptionValue>;

/// As it would be typed: true, 50, 0.1, dpo.
std::string to_text(const OptionValue& value);

/// "dpo-beta=0.1,lambda-reg=0.01", by name; empty for no options.
std::string to_text(const OptionValues& options);

}  // namespace headroom::experiment
