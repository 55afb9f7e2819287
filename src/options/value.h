#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace headroom::options {

/// The value of an option as a specification writes it.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// Values by the option's name on the command line, without dashes in front ("dpo-beta").
using Values = std::map<std::string, Value>;

/// The value as typed on the command line: true, 50, 0.1, dpo.
std::string to_text(const Value& value);

/// "dpo-beta=0.1,lambda-reg=0.01", sorted by name; empty when there are no options.
std::string to_text(const Values& options);

}  // namespace headroom::options
