#pragma once

#include "verb.h"

namespace headroom::cli {

/// Adds every command to the program.
void add_commands(CLI::App& app, Verbs& verbs);

}  // namespace headroom::cli
