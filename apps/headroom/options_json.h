#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "options/option.h"

namespace headroom::cli {

/// Registers the options of a command for options_json(). `in_plan_only`: the command has only the options of
/// `headroom memory plan`.
void note_table(const CLI::App& command, const options::View& request, bool in_plan_only);

/// A table of a command.
struct NotedTable {
  options::View request;
  bool in_plan_only = false;
};

/// The noted tables of a command.
std::vector<NotedTable> tables_of(const CLI::App& command);

/// All noted tables as a JSON object. The keys are verbs ("train", "memory plan train"). The values are lists
/// of options in the order of the tables. docs/reference/formats.md describes the fields.
std::string options_json();

}  // namespace headroom::cli
