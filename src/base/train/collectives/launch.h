#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace molgauge::train {

/// The processes of one training, as started by a launcher.
struct Launch {
  std::size_t rank = 0, processes = 1;  ///< number of this process, 0-based, and number of all processes
  std::size_t local_rank = 0;           ///< number of this process among the processes on this machine,
                                        ///< 0-based
  std::size_t local_processes = 1;      ///< processes on this machine; 1 if the launcher does not set it
  std::string address;                  ///< address on which process 0 listens
  std::uint16_t port = 0;
};

/// Reads RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT, LOCAL_RANK and LOCAL_WORLD_SIZE, as torchrun sets them.
/// Returns nothing if RANK and WORLD_SIZE are both unset, or if WORLD_SIZE is 1. Throws UsageError with a
/// missing or invalid variable.
std::optional<Launch> launch_of_environment();

}  // namespace molgauge::train
