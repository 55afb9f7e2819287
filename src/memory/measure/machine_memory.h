#pragma once

#include <cstdint>
#include <filesystem>

namespace headroom::memory {

/// Memory this process may count on, in bytes.
struct MachineMemory {
  std::uint64_t total = 0;      ///< bytes of the machine, or the limit of the container where that is lower
  std::uint64_t available = 0;  ///< bytes that can still be taken without swapping; never above `total`
};

/// Reads /proc/meminfo and the limits of the control groups of the process (version 2 and version 1, up to
/// the root); a group's file cache that can be dropped counts as available. Limits that cannot be read are
/// ignored. Throws Error where /proc is not mounted.
///
/// `root` is the folder with proc/ and sys/: tests put files of their own there.
MachineMemory machine_memory(const std::filesystem::path& root = "/");

}  // namespace headroom::memory
