#pragma once

#include <string>
#include <vector>

#include "migration/old_command.h"

namespace headroom::migration {

/// What replaces a call: commands to be run in their order, and what the user should know.
struct NewCommands {
  std::vector<std::string> lines;
  std::vector<std::string> warnings;  ///< "--num_workers: no worker processes ..."
};

/// What replaces this call of a Python program. No lines where that is still to come; a warning says so.
NewCommands translate(const OldCommand& old);

}  // namespace headroom::migration
