#include "base/memory/trace/trace_chunk.h"

#include "base/core/hash.h"
#include "base/io/bytes/little_endian.h"
#include "base/memory/trace/varint.h"

namespace molgauge::allocator {
namespace {

template <typename Number>
void put(std::string& bytes, Number number) {
  std::byte raw[sizeof(Number)];
  io::store_little_endian(raw, number);
  bytes.append(reinterpret_cast<const char*>(raw), sizeof(Number));
}

}  // namespace

TraceChunk::TraceChunk(std::span<const std::string> open_phases) {
  put_varint(payload_, open_phases.size());
  for (const auto& phase : open_phases) {
    put_text(payload_, phase);
  }
}

void TraceChunk::add(TraceRecord kind, std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  payload_ += static_cast<char>(kind);
  put_varint(payload_, stream);
  put_varint(payload_, bytes);
  put_varint(payload_, zigzag(address - last_address_));
  last_address_ = address;
  ++events_;
}

void TraceChunk::add_phase(std::string_view name) {
  payload_ += static_cast<char>(TraceRecord::begin_phase);
  put_text(payload_, name);
  ++events_;
}

void TraceChunk::add_phase_end() {
  payload_ += static_cast<char>(TraceRecord::end_phase);
  ++events_;
}

std::uint64_t chunk_checksum(std::uint32_t number, std::string_view described, std::string_view payload) {
  std::string all;
  all.reserve(sizeof(number) + described.size() + payload.size());
  put(all, number);
  all += described;
  all += payload;
  return checksum64(std::as_bytes(std::span(all)));
}

std::string seal_chunk(ChunkKind kind, std::uint32_t number, std::uint32_t events, std::string_view payload) {
  std::string described;
  put(described, static_cast<std::uint16_t>(kind));
  put(described, std::uint16_t{0});
  put(described, static_cast<std::uint32_t>(payload.size()));
  put(described, events);
  std::string chunk(kChunkMagic);
  chunk += described;
  put(chunk, chunk_checksum(number, described, payload));
  chunk += payload;
  return chunk;
}

}  // namespace molgauge::allocator
