#include "base/core/files/read_problem.h"

#include <cerrno>
#include <cstring>

namespace molgauge {

InputError read_problem(const std::string& path, int error_number) {
  std::string text = path + ": cannot read: " + std::strerror(error_number);
  if (error_number == ENOENT || error_number == ENOTDIR) {
    text += ". Check the path";
  } else if (error_number == EACCES || error_number == EPERM) {
    text += ". Change its permissions";
  }
  return InputError(text);
}

}  // namespace molgauge
