#pragma once

#include <string>

#include "molgauge/error.h"

namespace molgauge {

/// Returns an error for a failed system call: "PATH: cannot VERB: strerror(errno)". For a full disk and
/// missing permissions, the message also contains a remedy.
Error system_error(const std::string& path, const std::string& attempt, int error_number);

}  // namespace molgauge
