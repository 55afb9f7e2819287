#pragma once

#include <cstdint>
#include <optional>

namespace molgauge::memory {

/// Bytes that work may use in addition to the bytes already in use.
struct AvailableMemory {
  std::uint64_t host = 0;               ///< bytes of main memory, including tensors of work on the CPU
  std::optional<std::uint64_t> device;  ///< bytes of the GPU that does the work; empty on a CPU
};

}  // namespace molgauge::memory
