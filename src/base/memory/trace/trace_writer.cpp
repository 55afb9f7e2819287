#include "base/memory/trace/trace_writer.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/memory/trace/varint.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

std::string file_header() {
  std::string header(kTraceMagic);
  header += static_cast<char>(kTraceVersion);
  header.append(7, '\0');
  return header;
}

}  // namespace

TraceWriter::TraceWriter(std::filesystem::path path, TraceOptions options)
    : path_(std::move(path)), options_(std::move(options)) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    throw system_error(path_.string(), "write", errno);
  }
  std::string payload;
  put_varint(payload, options_.capacity);
  put_text(payload, options_.settings);
  write(file_header() + seal_chunk(ChunkKind::settings, chunks_written_++, 0, payload));
}

TraceWriter::~TraceWriter() {
  try {
    finish();
  } catch (const Error& error) {
    log_error("{}", error.what());
  }
}

void TraceWriter::allocate(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  record(TraceRecord::allocate, address, bytes, stream);
}

void TraceWriter::free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  record(TraceRecord::free, address, bytes, stream);
}

void TraceWriter::request_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  record(TraceRecord::request_free, address, bytes, stream);
}

void TraceWriter::complete_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  record(TraceRecord::complete_free, address, bytes, stream);
}

void TraceWriter::out_of_memory(std::uint64_t bytes, std::uint64_t stream) {
  record(TraceRecord::out_of_memory, 0, bytes, stream);
}

void TraceWriter::record(TraceRecord kind, std::uint64_t address, std::uint64_t bytes, std::uint64_t stream) {
  const std::lock_guard lock(mutex_);
  chunk_.add(kind, address, bytes, stream);
  if (options_.ring_events > 0) {
    if (kind == TraceRecord::allocate) {
      living_[address] = {bytes, stream, chunks_dropped_ + kept_.size()};
    } else if (kind == TraceRecord::free || kind == TraceRecord::complete_free) {
      living_.erase(address);
    }
  }
  close_chunk_if_full();
}

void TraceWriter::begin_phase(std::string_view name) {
  const std::lock_guard lock(mutex_);
  open_phases_.emplace_back(name);
  chunk_.add_phase(name);
  close_chunk_if_full();
}

void TraceWriter::end_phase() {
  const std::lock_guard lock(mutex_);
  open_phases_.pop_back();
  chunk_.add_phase_end();
  close_chunk_if_full();
}

void TraceWriter::close_chunk_if_full() {
  // A ring drops whole chunks, so its chunks must be small.
  const std::uint64_t most_events = options_.ring_events > 0
                                        ? std::max<std::uint64_t>(options_.ring_events / 8, 1)
                                        : std::numeric_limits<std::uint64_t>::max();
  if (chunk_.payload().size() >= kChunkBytes || chunk_.events() >= most_events) {
    close_chunk();
  }
}

void TraceWriter::close_chunk() {
  if (chunk_.events() == 0) {
    return;
  }
  TraceChunk full = std::exchange(chunk_, TraceChunk(open_phases_));
  if (options_.ring_events == 0) {
    write(seal_chunk(ChunkKind::events, chunks_written_++, full.events(), full.payload()));
    return;
  }
  kept_events_ += full.events();
  kept_.push_back(std::move(full));
  while (kept_.size() > 1 && kept_events_ - kept_.front().events() >= options_.ring_events) {
    kept_events_ -= kept_.front().events();
    dropped_events_ += kept_.front().events();
    kept_.pop_front();
    ++chunks_dropped_;
  }
}

void TraceWriter::flush() {
  const std::lock_guard lock(mutex_);
  if (options_.ring_events == 0) {
    close_chunk();
  }
}

/// Lists allocations that are live at the end but whose requests the ring has dropped.
std::string TraceWriter::end_payload() const {
  std::string residents;
  std::uint64_t count = 0, last_address = 0;
  for (const auto& [address, living] : living_) {
    if (living.chunk < chunks_dropped_) {
      put_varint(residents, living.stream);
      put_varint(residents, living.bytes);
      put_varint(residents, zigzag(address - last_address));
      last_address = address;
      ++count;
    }
  }
  std::string payload;
  put_varint(payload, dropped_events_);
  put_varint(payload, count);
  return payload + residents;
}

void TraceWriter::finish() {
  const std::lock_guard lock(mutex_);
  if (descriptor_ < 0) {
    return;
  }
  close_chunk();
  for (const TraceChunk& chunk : kept_) {
    write(seal_chunk(ChunkKind::events, chunks_written_++, chunk.events(), chunk.payload()));
  }
  write(seal_chunk(ChunkKind::end, chunks_written_++, 0, end_payload()));
  const int descriptor = std::exchange(descriptor_, -1);
  const bool is_synced = fsync(descriptor) == 0;
  const int reason = errno;
  close(descriptor);
  if (!is_synced) {
    throw system_error(path_.string(), "write", reason);
  }
}

void TraceWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      const int reason = errno;
      close(std::exchange(descriptor_, -1));
      throw system_error(path_.string(), "write", reason);
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

}  // namespace molgauge::allocator
