#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace headroom::train {

/// The processes of one training, as a launcher has started them.
struct Launch {
  std::size_t rank = 0, processes = 1;  ///< this process, 0-based, of all
  std::size_t local_rank = 0;           ///< of those on this machine
  std::size_t local_processes = 1;      ///< on this machine; 1 where the launcher does not say
  std::string address;                  ///< where process 0 listens
  std::uint16_t port = 0;
};

/// Reads RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT, LOCAL_RANK and LOCAL_WORLD_SIZE, as torchrun sets them.
/// Nothing where neither RANK nor WORLD_SIZE is set, or WORLD_SIZE is 1. Throws UsageError naming the
/// variable that is missing or cannot be.
std::optional<Launch> launch_of_environment();

}  // namespace headroom::train
