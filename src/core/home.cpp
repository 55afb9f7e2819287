#include "core/home.h"

#include <cstdlib>

#include "core/error.h"

namespace headroom {

std::filesystem::path home_folder() {
  if (const char* home = std::getenv("HEADROOM_HOME"); home != nullptr && *home != '\0') {
    return home;
  }
  if (const char* user = std::getenv("HOME"); user != nullptr && *user != '\0') {
    return std::filesystem::path(user) / ".cache" / "headroom";
  }
  throw Error(
      "neither HEADROOM_HOME nor HOME is set: set HEADROOM_HOME to a folder for weights and features");
}

}  // namespace headroom
