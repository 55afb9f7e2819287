#pragma once

#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/options/group.h"
#include "base/options/tables.h"

namespace molgauge::cli {

/// Puts an option into a group of the help.
void put_in(CLI::Option* option, options::Group group);

/// The options that --help does not show, and the choices that would show more options.
struct HiddenOptions {
  std::set<const CLI::Option*> options;
  /// Choices with which --help shows more options, such as "--encoder unimol".
  std::vector<std::string> choices;
};

/// Determines which options --help hides. This depends on the values on the command line.
HiddenOptions hidden_options(const CLI::App& command);

/// Adds all options of a table to a command. The parser writes the values into the request, which must live
/// as long as the parser. The help shows the initial values of the request as the defaults.
void add_options(CLI::App& command, const options::MutableView& request);

template <typename Request>
void add_options(CLI::App& command, Request& request) {
  add_options(command, options::mutable_view(request));
}

/// Adds only those options of a table that affect memory (Option::is_in_plan). `molgauge memory plan` has
/// these options.
void add_options_of_plan(CLI::App& command, const options::MutableView& request);

/// Throws UsageError if the command line contains an option that has no effect in combination with the other
/// options.
void refuse_options_without_effect(const CLI::App& command, const options::View& request);

}  // namespace molgauge::cli
