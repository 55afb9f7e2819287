#pragma once

#include <CLI/CLI.hpp>

#include "options/tables.h"

namespace headroom::cli {

/// Options in this group of a command are shown by --help-all alone.
inline constexpr const char* kMoreOptions = "More options";

/// Adds every option of a table to a command. Parsing writes the values into the request, which must outlive
/// it; the values that the request has beforehand are the defaults that the help shows.
void add_options(CLI::App& command, const options::MutableView& request);

template <typename Request>
void add_options(CLI::App& command, Request& request) {
  add_options(command, options::mutable_view(request));
}

/// Adds the options that `headroom memory plan` takes.
void add_options_of_plan(CLI::App& command, const options::MutableView& request);

/// Throws UsageError where an option was given that the other options leave without effect: such a command is
/// a mistake.
void refuse_options_without_effect(const CLI::App& command, const options::View& request);

}  // namespace headroom::cli
