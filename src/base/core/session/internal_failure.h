#pragma once

#include <string>

namespace molgauge {

/// The message for a bug in the program. The message says that the user cannot fix it with other input.
inline std::string internal_failure(const std::string& reason) {
  return "an internal check failed (" + reason + "). This is an error of Molgauge, please report the command";
}

}  // namespace molgauge
