#pragma once

#include <set>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "options/group.h"
#include "options/tables.h"

namespace headroom::cli {

/// Puts an option that has no row in a table into a group of the help.
void put_in(CLI::Option* option, options::Group group);

/// The options that --help leaves out, and how to see them.
struct HiddenOptions {
  std::set<const CLI::Option*> options;
  std::vector<std::string> choices;  ///< options that make --help show more: "--encoder unimol"
};

/// Determines from the values on the command line which options --help shows.
HiddenOptions hidden_options(const CLI::App& command);

/// Adds every option of a table to a command. Parsing writes the values into the request, which must outlive
/// the parser. The initial values of the request are the defaults in the help.
void add_options(CLI::App& command, const options::MutableView& request);

template <typename Request>
void add_options(CLI::App& command, Request& request) {
  add_options(command, options::mutable_view(request));
}

/// Adds the options of a table that `headroom memory plan` has.
void add_options_of_plan(CLI::App& command, const options::MutableView& request);

/// Throws UsageError if an option was given that has no effect with the other options.
void refuse_options_without_effect(const CLI::App& command, const options::View& request);

}  // namespace headroom::cli
