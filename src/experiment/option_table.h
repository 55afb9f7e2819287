#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/nearest_name.h"
#include "experiment/option_value.h"

/// Setting the fields of a request by the names of options; for the sources that hold the tables of names.
namespace headroom::experiment {

// Each sets the field, or throws UsageError saying what it takes.
void assign(bool& field, const OptionValue& value);
void assign(std::size_t& field, const OptionValue& value);
void assign(double& field, const OptionValue& value);
void assign(std::string& field, const OptionValue& value);

/// One option of a request: its name on the command line, and how it is set.
template <typename Request>
struct Option {
  const char* name;
  void (*set)(Request&, const OptionValue&);
};

template <auto member, typename Request>
void set_field(Request& request, const OptionValue& value) {
  assign(request.*member, value);
}

/// Throws UsageError when no option has the name (naming those there are; `owners`: whose options these are),
/// or the value is of another kind.
template <typename Request>
void set_option(std::span<const Option<Request>> options, const char* owners, Request& request,
                const std::string& name, const OptionValue& value) {
  const auto option =
      std::find_if(options.begin(), options.end(), [&](const auto& known) { return name == known.name; });
  if (option == options.end()) {
    std::vector<std::string> names;
    for (const auto& known : options) {
      names.emplace_back(known.name);
    }
    throw UsageError(fmt::format("{} have no option '{}'; they have {}{}", owners, name,
                                 fmt::join(names, ", "), did_you_mean(name, names)));
  }
  try {
    option->set(request, value);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("'{}' {}", name, problem.what()));
  }
}

}  // namespace headroom::experiment
