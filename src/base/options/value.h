#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace molgauge::options {

/// The value of an option in a specification.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// Values by option name without dashes ("dpo-beta").
using Values = std::map<std::string, Value>;

/// Returns the value as it is typed on the command line: true, 50, 0.1, dpo.
std::string to_text(const Value& value);

/// Returns a text such as "dpo-beta=0.1,lambda-reg=0.01", sorted by name. The text is empty if there are no
/// values.
std::string to_text(const Values& options);

}  // namespace molgauge::options
