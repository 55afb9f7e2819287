#include "base/core/error.h"

#include <cerrno>
#include <cstring>

namespace molgauge {

Error system_error(const std::string& path, const std::string& attempt, int error_number) {
  std::string text = path + ": cannot " + attempt + ": " + std::strerror(error_number);
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      text += ". Free some space and run the same command again. Finished work is kept";
      break;
    case ENOENT:
      text += ". Check the path";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      text += ". Choose a folder with write permission, or change its permissions";
      break;
    case EFBIG:
      text +=
          ". Raise the limit on the size of files (ulimit -f) and run the same command again. Finished work "
          "is kept";
      break;
    case ELOOP:
      text += ". A symbolic link points back to itself. Point it to a file, or remove it";
      break;
    default:
      break;
  }
  return Error(text);
}

}  // namespace molgauge
