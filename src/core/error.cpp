#include "core/error.h"

#include <cerrno>
#include <cstring>

namespace headroom {

Error system_error(const std::string& path, const std::string& attempt, int error_number) {
  std::string text = path + ": cannot " + attempt + ": " + std::strerror(error_number);
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      text += "; free some space and run the same command again, finished work is kept";
      break;
    case EACCES:
    case EPERM:
    case EROFS:
      text += "; choose a folder you may write to, or change its permissions";
      break;
    default:
      break;
  }
  return Error(text);
}

}  // namespace headroom
