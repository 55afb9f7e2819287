#pragma once

#include <string>
#include <vector>

#include "migration/old_command.h"

namespace headroom::migration {

/// The replacement of a call: commands in their order, and remarks for the user.
struct NewCommands {
  std::vector<std::string> lines;
  std::vector<std::string> warnings;  ///< "--num_workers: no worker processes ..."
  /// Why the lines may be wrong, where they depend on what a variable holds when the call is executed: then
  /// `headroom migrate --run` must translate it at that time. Empty: they hold as they stand.
  std::string open_question;
};

/// Translates this call of a Python program. `values`: what the variables of its script can hold. No lines if
/// there is no counterpart yet; a warning says so.
NewCommands translate(const OldCommand& old, const KnownValues& values = {});

}  // namespace headroom::migration
