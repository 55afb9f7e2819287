#pragma once

#include <cstdint>
#include <filesystem>

namespace headroom::memory {

/// Memory this process may count on, in bytes.
struct MachineMemory {
  std::uint64_t total = 0;      ///< of the machine, or the limit of the container where that is lower
  std::uint64_t available = 0;  ///< what can still be taken without swapping; never above `total`
};

/// Reads /proc/meminfo and the limits of the control groups the process is in (version 2 and version 1, all
/// the way up), a limit's file cache that can be dropped counting as available. Limits that cannot be seen do
/// not count. Throws Error where /proc is not mounted.
///
/// `root` is where proc/ and sys/ lie: tests put files of their own there.
MachineMemory machine_memory(const std::filesystem::path& root = "/");

}  // namespace headroom::memory
