#pragma once

#include <string>

namespace headroom {

/// The message for a failed check of the program itself: it names no input that the user could correct.
inline std::string internal_failure(const std::string& reason) {
  return "an internal check failed (" + reason + "). This is an error of Headroom, please report the command";
}

}  // namespace headroom
