#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "migration/old_options.h"
#include "migration/script_commands.h"

namespace headroom::migration {

/// A call of a Python program with parsed options.
struct OldCommand {
  OldProgram program = OldProgram::energy;
  std::string name;                                       ///< "main.py", "run_ablation.sh"
  std::map<std::string, std::vector<std::string>> given;  ///< option to its values; none for a flag
  std::vector<std::string> unknown;                       ///< words that are not an option of the program
  std::vector<std::string> without_value;                 ///< options that need a value and have none

  bool has(const std::string& option) const { return given.contains(option); }
  /// The first value, or `otherwise`.
  std::string value(const std::string& option, const std::string& otherwise = "") const;
};

/// Reads the arguments as argparse does: the last value counts, "--name=value" is accepted, and a name may be
/// cut short as long as one option begins with it.
OldCommand understand(const ScriptCommand& command);

}  // namespace headroom::migration
