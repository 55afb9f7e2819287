#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/memory/trace/trace_chunk.h"

namespace molgauge::allocator {

struct TraceOptions {
  /// If not 0, the trace is a ring: it keeps only the last events, about this many, and writes them at the
  /// end. If 0, all events are written, in pieces of 64 KiB.
  std::uint64_t ring_events = 0;
  std::uint64_t capacity = 0;  ///< bytes that the program may reserve, or 0 if unknown
  std::string settings;        ///< settings in the form of PYTORCH_CUDA_ALLOC_CONF
};

/// Records the allocations of a program in a file (docs/reference/formats.md). If the program is killed, the
/// complete chunks stay readable, and readers detect that the end is missing.
///
/// Thread safety: several threads may use it at once. An event costs about 30 ns. Data is written in pieces
/// of 64 KiB.
class TraceWriter {
 public:
  /// Throws Error that names the file if it cannot be created.
  explicit TraceWriter(std::filesystem::path path, TraceOptions options = {});
  /// Calls finish() if it was not called before, and logs its error.
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void allocate(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  /// Records a free after which the bytes can be reused at once.
  void free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  /// Records a free after which another stream may use the bytes until complete_free().
  void request_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void complete_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void out_of_memory(std::uint64_t bytes, std::uint64_t stream);
  /// Begins a phase. Phases are nested, and an allocation belongs to all open phases.
  void begin_phase(std::string_view name);
  void end_phase();

  /// Writes the buffered events. Has no effect on a ring, which is written at the end.
  void flush();
  /// Writes the remaining events and the end mark. After this call, no event may be recorded. Throws Error
  /// that names the file if it cannot be written.
  void finish();

 private:
  struct Living {
    std::uint64_t bytes, stream, chunk;
  };
  void record(TraceRecord kind, std::uint64_t address, std::uint64_t bytes, std::uint64_t stream);
  void close_chunk_if_full();
  void close_chunk();
  void write(std::string_view bytes);
  std::string end_payload() const;

  std::filesystem::path path_;
  TraceOptions options_;
  std::mutex mutex_;
  int descriptor_ = -1;
  std::uint32_t chunks_written_ = 0;
  TraceChunk chunk_;
  std::vector<std::string> open_phases_;

  // The chunks of a ring. Empty otherwise.
  std::deque<TraceChunk> kept_;
  std::uint64_t kept_events_ = 0, dropped_events_ = 0, chunks_dropped_ = 0;
  std::unordered_map<std::uint64_t, Living> living_;
};

}  // namespace molgauge::allocator
