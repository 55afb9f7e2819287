#include "core/filesystem_failure.h"

#include <cerrno>

namespace headroom {

Error filesystem_failure(const std::filesystem::filesystem_error& failure) {
  const int reason = failure.code().value();
  const Error described = system_error(failure.path1().string(), "use", reason);
  const bool is_name = reason == ELOOP || reason == ENAMETOOLONG || reason == ENOTDIR || reason == ENOENT;
  return is_name ? InputError(described.what()) : described;
}

}  // namespace headroom
