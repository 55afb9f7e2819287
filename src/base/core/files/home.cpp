#include "base/core/files/home.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "base/core/error.h"

namespace molgauge {

std::filesystem::path home_folder() {
  if (const char* home = std::getenv("MOLGAUGE_HOME"); home != nullptr && *home != '\0') {
    return home;
  }
  if (const char* user = std::getenv("HOME"); user != nullptr && *user != '\0') {
    return std::filesystem::path(user) / ".cache" / "molgauge";
  }
  throw Error(
      "neither MOLGAUGE_HOME nor HOME is set: set MOLGAUGE_HOME to a folder for weights and features");
}

std::filesystem::path temporary_folder() {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(problem);
  if (problem) {
    const char* const given = std::getenv("TMPDIR");
    throw Error(std::string(given == nullptr ? "/tmp" : given) +
                ": is not a folder for temporary files. Create it, or set TMPDIR to another folder");
  }
  return folder;
}

}  // namespace molgauge
