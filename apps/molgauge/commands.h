#pragma once

#include "base/command_line/command.h"

namespace molgauge::cli {

/// Adds all commands, in the order of the help.
void add_commands(CLI::App& app, Verbs& verbs);

// Commands without an engine request.
Command demo_command();
Command migrate_command();

}  // namespace molgauge::cli
