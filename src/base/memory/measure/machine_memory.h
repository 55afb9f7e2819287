#pragma once

#include <cstdint>
#include <filesystem>

namespace molgauge::memory {

/// The memory that this process can use, in bytes.
struct MachineMemory {
  std::uint64_t total = 0;      ///< bytes of the machine, or the limit of the container if it is lower
  std::uint64_t available = 0;  ///< bytes that can be taken without swapping; at most `total`
};

/// Reads /proc/meminfo and the limits of all control groups of the process (versions 1 and 2, up to the
/// root). If a group has file cache that can be dropped, the cache counts as available. Limits that cannot be
/// read are ignored. Throws Error if /proc is not mounted.
///
/// `root`: the folder with proc/ and sys/. Tests use another folder.
MachineMemory machine_memory(const std::filesystem::path& root = "/");

}  // namespace molgauge::memory
