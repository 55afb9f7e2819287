#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace molgauge::allocator {

// The format of allocation traces: a header, then chunks that can be read independently.
// docs/reference/formats.md describes each byte.

inline constexpr std::string_view kTraceMagic = "HRMTRACE";
inline constexpr std::uint16_t kTraceVersion = 1;
inline constexpr std::string_view kChunkMagic = "CHNK";

enum class ChunkKind : std::uint16_t {
  settings = 1,  ///< settings of the recorded program: capacity, allocator settings
  events = 2,
  end = 3,  ///< end of a recording that was not cut off
};

enum class TraceRecord : std::uint8_t {
  allocate = 1,
  free = 2,
  request_free = 3,
  complete_free = 4,
  out_of_memory = 5,
  begin_phase = 6,
  end_phase = 7,
};

/// Magic, kind, flags (0), payload bytes, number of events, and a checksum. The checksum is XXH3-64 over the
/// chunk number, the 12 bytes after the magic, and the payload.
inline constexpr std::size_t kChunkHeaderBytes = 24;
inline constexpr std::size_t kMaxChunkBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxOpenPhases = 1000;

}  // namespace molgauge::allocator
