#pragma once

#include <CLI/CLI.hpp>

#include "options/tables.h"

namespace headroom::cli {

/// Only --help-all shows the options in this group.
inline constexpr const char* kMoreOptions = "More options";

/// Adds every option of a table to a command. Parsing writes the values into the request, which must outlive
/// the command. The help shows the initial values of the request as defaults.
void add_options(CLI::App& command, const options::MutableView& request);

template <typename Request>
void add_options(CLI::App& command, Request& request) {
  add_options(command, options::mutable_view(request));
}

/// Adds the options of a table that `headroom memory plan` takes.
void add_options_of_plan(CLI::App& command, const options::MutableView& request);

/// Throws UsageError if an option was given that has no effect with the other options.
void refuse_options_without_effect(const CLI::App& command, const options::View& request);

}  // namespace headroom::cli
