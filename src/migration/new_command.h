#pragma once

#include <string>
#include <vector>

#include "migration/old_command.h"

namespace headroom::migration {

/// The replacement of a call: commands in their order, and remarks for the user.
struct NewCommands {
  std::vector<std::string> lines;
  std::vector<std::string> warnings;  ///< "--num_workers: no worker processes ..."
};

/// Translates this call of a Python program. No lines if there is no counterpart yet; a warning says so.
NewCommands translate(const OldCommand& old);

}  // namespace headroom::migration
