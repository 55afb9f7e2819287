#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/trace/trace_format.h"

namespace molgauge::allocator {

/// Packed events of a trace. A chunk can be read independently of other chunks: it begins with the open
/// phases, and its first address is relative to 0.
class TraceChunk {
 public:
  explicit TraceChunk(std::span<const std::string> open_phases = {});

  void add(TraceRecord kind, std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void add_phase(std::string_view name);
  void add_phase_end();

  std::uint32_t events() const { return events_; }
  const std::string& payload() const { return payload_; }

 private:
  std::string payload_;
  std::uint32_t events_ = 0;
  std::uint64_t last_address_ = 0;
};

/// Returns a chunk in the file format. `number`: index of the chunk in the file.
std::string seal_chunk(ChunkKind kind, std::uint32_t number, std::uint32_t events, std::string_view payload);

/// The checksum of a chunk. `described`: the 12 bytes after its magic.
std::uint64_t chunk_checksum(std::uint32_t number, std::string_view described, std::string_view payload);

}  // namespace molgauge::allocator
