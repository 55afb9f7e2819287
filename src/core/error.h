#pragma once

#include <string>

#include "headroom/error.h"

namespace headroom {

/// Error for a failed system call: "PATH: cannot VERB: strerror(errno)", with the fix for a full disk and for
/// missing permissions.
Error system_error(const std::string& path, const std::string& attempt, int error_number);

}  // namespace headroom
