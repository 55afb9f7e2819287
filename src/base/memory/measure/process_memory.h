#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace molgauge::memory {

/// The memory of another process, in bytes, as the kernel counts it (/proc/PID/status).
struct ProcessMemory {
  std::string name;            ///< name of the program, at most 15 characters
  std::uint64_t resident = 0;  ///< resident bytes now
  std::uint64_t peak = 0;      ///< peak since the start of the process, or since the process reset its peak
  std::uint64_t threads = 0;
};

/// Returns nothing if the process has ended or never existed.
std::optional<ProcessMemory> process_memory(long pid);

}  // namespace molgauge::memory
