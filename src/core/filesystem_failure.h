#pragma once

#include <filesystem>

#include "core/error.h"

namespace headroom {

/// system_error() for an exception of std::filesystem; InputError where the name itself is wrong: a symbolic
/// link that leads back to itself, a folder that is a file, a name that is too long.
Error filesystem_failure(const std::filesystem::filesystem_error& failure);

}  // namespace headroom
