#include "memgauge/recordings/trace_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/io/bytes/byte_stream.h"
#include "base/memory/trace/trace_chunk.h"
#include "base/memory/trace/trace_format.h"
#include "base/memory/trace/varint.h"
#include "memgauge/recordings/event_log.h"

namespace molgauge::allocator {
namespace {

class TraceReader {
 public:
  explicit TraceReader(io::ByteSource& source) : stream_(source) {}

  Recording read(const std::string& name) {
    try {
      read_header();
      while (!is_ended_ && has_whole_chunk()) {
        read_chunk();
      }
      if (is_ended_ && !stream_.at_end()) {
        throw InputError("something follows the end of the trace");
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: cannot be read as an allocation trace (byte {}): {}", name, position_,
                                   error.what()));
    }
    Recording recording = log_.finish();
    recording.source = name;
    recording.format = "molgauge trace";
    recording.settings = settings_;
    // Only traces of a GPU contain the bytes that the program may reserve, or settings.
    recording.is_of_cpu = capacity_ == 0 && settings_.empty();
    if (capacity_ > 0) {
      recording.capacity = capacity_;
    }
    recording.events_dropped = dropped_;
    recording.is_complete = is_ended_;
    return recording;
  }

 private:
  void read_header() {
    if (stream_.take(kTraceMagic.size()) != kTraceMagic) {
      throw InputError("it does not begin as one");
    }
    const auto version = stream_.number<std::uint16_t>();
    if (version != kTraceVersion) {
      throw InputError(
          fmt::format("version {} of the format is not supported, only version {}", version, kTraceVersion));
    }
    stream_.take(6);
  }

  /// Whether another complete chunk follows. False at the end of the file, even if the last chunk was cut
  /// off.
  bool has_whole_chunk() {
    position_ = stream_.position();
    const std::string_view header = stream_.peek(kChunkHeaderBytes);
    if (header.size() < kChunkHeaderBytes) {
      return false;
    }
    if (!header.starts_with(kChunkMagic)) {
      throw InputError("no chunk begins here");
    }
    payload_bytes_ =
        io::load_little_endian<std::uint32_t>(reinterpret_cast<const std::byte*>(header.data()) + 8);
    if (payload_bytes_ > kMaxChunkBytes) {
      throw InputError(
          fmt::format("a chunk of {} bytes, but at most {} are allowed", payload_bytes_, kMaxChunkBytes));
    }
    const std::size_t whole = kChunkHeaderBytes + payload_bytes_;
    return stream_.peek(whole).size() == whole;
  }

  void read_chunk() {
    const std::string chunk(stream_.take(kChunkHeaderBytes + payload_bytes_));
    const auto* bytes = reinterpret_cast<const std::byte*>(chunk.data());
    const std::string_view described = std::string_view(chunk).substr(4, 12);
    const std::string_view payload = std::string_view(chunk).substr(kChunkHeaderBytes);
    if (chunk_checksum(number_, described, payload) != io::load_little_endian<std::uint64_t>(bytes + 16)) {
      throw InputError(fmt::format("chunk {} fails its checksum. The file is damaged", number_));
    }
    ++number_;
    VarintReader reader(payload);
    try {
      read_payload(ChunkKind{io::load_little_endian<std::uint16_t>(bytes + 4)}, reader);
    } catch (const InputError&) {
      position_ += kChunkHeaderBytes + reader.position();
      throw;
    }
  }

  void read_payload(ChunkKind kind, VarintReader& reader) {
    switch (kind) {
      case ChunkKind::settings:
        capacity_ = reader.number();
        settings_ = reader.text();
        return;
      case ChunkKind::events:
        read_open_phases(reader);
        last_address_ = 0;
        while (!reader.at_end()) {
          read_event(reader);
        }
        return;
      case ChunkKind::end:
        read_end(reader);
        return;
    }
    throw InputError(fmt::format("chunks of kind {} are not known", static_cast<unsigned>(kind)));
  }

  /// Reads the open phases of a chunk. Only the first chunk of a ring has phases that are not known yet.
  void read_open_phases(VarintReader& reader) {
    std::vector<std::string> open;
    const std::uint64_t count = reader.number();
    if (count > kMaxOpenPhases) {
      throw InputError("too many phases are open");
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      open.emplace_back(reader.text());
    }
    if (!has_events_) {
      has_events_ = true;
      for (const auto& phase : open) {
        begin_phase(phase);
      }
    } else if (open != phases_) {
      throw InputError("the open phases are not those of the chunk before");
    }
  }

  void read_event(VarintReader& reader) {
    const auto kind = TraceRecord{reader.byte()};
    switch (kind) {
      case TraceRecord::allocate:
      case TraceRecord::free:
      case TraceRecord::request_free:
      case TraceRecord::complete_free:
      case TraceRecord::out_of_memory:
        read_memory_event(kind, reader);
        return;
      case TraceRecord::begin_phase:
        begin_phase(reader.text());
        return;
      case TraceRecord::end_phase:
        if (phases_.empty()) {
          throw InputError("a phase ends that was not begun");
        }
        phases_.pop_back();
        update_origin();
        log_.end_phase();
        return;
    }
    throw InputError(fmt::format("records of kind {} are not known", static_cast<unsigned>(kind)));
  }

  void read_memory_event(TraceRecord kind, VarintReader& reader) {
    const std::uint64_t stream = reader.number(), bytes = reader.number();
    last_address_ += undo_zigzag(reader.number());
    if (kind == TraceRecord::allocate) {
      log_.allocate(last_address_, bytes, stream, origin_);
    } else if (kind == TraceRecord::free) {
      log_.free(last_address_, bytes, stream);
    } else if (kind == TraceRecord::request_free) {
      log_.request_free(last_address_, bytes, stream);
    } else if (kind == TraceRecord::complete_free) {
      log_.complete_free(last_address_, bytes, stream);
    } else {
      log_.out_of_memory(bytes, stream, origin_);
    }
  }

  void read_end(VarintReader& reader) {
    dropped_ = reader.number();
    std::uint64_t address = 0;
    for (std::uint64_t left = reader.number(); left > 0; --left) {
      const std::uint64_t stream = reader.number(), bytes = reader.number();
      address += undo_zigzag(reader.number());
      log_.resident_at_end(address, bytes, stream, EventLog::kBefore);
    }
    is_ended_ = true;
  }

  void begin_phase(std::string_view name) {
    if (phases_.size() >= kMaxOpenPhases) {
      throw InputError("too many phases are open");
    }
    phases_.emplace_back(name);
    update_origin();
    log_.begin_phase(name);
  }

  void update_origin() {
    origin_ = log_.origin(phases_.empty() ? kNoPhase : fmt::format("{}", fmt::join(phases_, " / ")));
  }

  io::ByteStream stream_;
  EventLog log_;
  std::uint64_t position_ = 0;  ///< offset of the part that is read
  std::size_t payload_bytes_ = 0;
  std::uint32_t number_ = 0;
  std::vector<std::string> phases_;
  std::uint32_t origin_ = log_.origin(kNoPhase);
  std::uint64_t last_address_ = 0, capacity_ = 0, dropped_ = 0;
  std::string settings_;
  bool has_events_ = false, is_ended_ = false;
};

}  // namespace

Recording read_trace(io::ByteSource& source, const std::string& name) {
  return TraceReader(source).read(name);
}

}  // namespace molgauge::allocator
