#pragma once

#include "base/command_line/command.h"

namespace molgauge::cli {

void add_commands(CLI::App& app, Verbs& verbs);

}  // namespace molgauge::cli
