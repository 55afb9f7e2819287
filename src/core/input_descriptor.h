#pragma once

#include <filesystem>

namespace headroom {

/// Opens a file for reading, as open(2) does: the descriptor, or -1 with errno. A named pipe that has no
/// writer yet is waited for, which Ctrl-C ends: throws Interrupted then.
int open_for_reading(const std::filesystem::path& path);

/// Waits until a descriptor has something to read or has come to its end. Throws Interrupted after Ctrl-C.
void wait_until_readable(int descriptor);

}  // namespace headroom
