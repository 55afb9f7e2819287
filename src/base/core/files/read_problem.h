#pragma once

#include <string>

#include "base/core/error.h"

namespace molgauge {

/// Returns the error for a file that cannot be read, with the reason and, if known, the remedy.
/// `error_number` is a value of errno.
InputError read_problem(const std::string& path, int error_number);

}  // namespace molgauge
