#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/options/option.h"

namespace molgauge::cli {

/// Registers the option table of a command for options_json(). `in_plan_only`: whether the command has only
/// the options with Option::is_in_plan.
void note_table(const CLI::App& command, const options::View& request, bool in_plan_only);

/// A registered option table.
struct NotedTable {
  options::View request;
  bool in_plan_only = false;
};

/// Returns the registered tables of a command.
std::vector<NotedTable> tables_of(const CLI::App& command);

/// Returns all registered tables as a JSON object. The keys are verbs ("train", "memory plan train"). The
/// values are lists of options, in the order of the tables. docs/reference/formats.md describes the fields.
std::string options_json();

}  // namespace molgauge::cli
