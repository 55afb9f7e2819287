#include "recorded_program.h"

#include "byte_text.h"
#include "memgauge/recordings/snapshot_reader.h"

namespace molgauge::allocator::test {

RecordedProgram::RecordedProgram(const std::string& settings, std::uint64_t capacity)
    : settings_(settings), allocator_(parse_allocator_settings(settings), capacity) {}

void RecordedProgram::frames(PickleText& text, const Stack& stack) {
  text.text("frames").raw("](");
  for (const auto& frame : stack) {
    text.raw("}(").field("name", frame.name).field("filename", frame.file).field("line", frame.line).raw("u");
  }
  text.raw("e");
}

void RecordedProgram::event(std::string_view action, std::uint64_t address, std::uint64_t bytes,
                            StreamNumber stream, const Stack& stack) {
  PickleText text;
  const std::size_t start = text.so_far().size();
  text.raw("}(").field("action", action).field(action == "oom" ? "device_free" : "addr", address);
  text.field("size", bytes).field("stream", stream).field("time_us", ++time_);
  if (action == "alloc" && !metadata_.empty()) {
    text.field("user_metadata", metadata_);
  }
  frames(text, stack);
  trace_ += text.raw("u").so_far().substr(start);
}

std::size_t RecordedProgram::alloc(std::uint64_t bytes, const Stack& stack, StreamNumber stream) {
  Block* const block = allocator_.allocate(bytes, stream);
  note_segments();
  if (block == nullptr) {
    event("oom", device_free.value_or(allocator_.device_free()), bytes, stream, stack);
    return kFailed;
  }
  event("alloc", block->address, bytes, stream, stack);
  live_.push_back({block, bytes, stream, stack});
  by_address_[block->address] = live_.size() - 1;
  return live_.size() - 1;
}

void RecordedProgram::free(std::size_t id) {
  const Live& live = live_.at(id);
  const std::uint64_t address = live.block->address;
  event("free_requested", address, live.bytes, live.stream, live.stack);
  event("free_completed", address, live.bytes, live.stream, live.stack);
  allocator_.free(live.block);
  by_address_.erase(address);
}

void RecordedProgram::free(const std::vector<std::size_t>& ids) {
  for (const std::size_t id : ids) {
    free(id);
  }
}

void RecordedProgram::empty_cache() {
  allocator_.empty_cache();
  note_segments();
}

void RecordedProgram::declare_private(StreamNumber stream) {
  private_.insert(stream);
  allocator_.declare_private(stream);
}

void RecordedProgram::annotate(const std::string& name, bool begins) {
  PickleText text;
  const std::size_t start = text.so_far().size();
  text.raw("}(").field("name", name).field("stage", begins ? "START" : "END").field("device", 0);
  annotations_ += text.field("time_us", ++time_).raw("u").so_far().substr(start);
}

void RecordedProgram::note_segments() {
  std::map<std::uint64_t, std::uint64_t> now;
  for (const auto& [address, segment] : allocator_.segments()) {
    now[address] = segment.bytes;
  }
  for (const auto& [address, bytes] : sizes_) {
    if (!now.contains(address)) {
      event("segment_free", address, bytes);
    }
  }
  for (const auto& [address, bytes] : now) {
    if (!sizes_.contains(address)) {
      event("segment_alloc", address, bytes, allocator_.segments().at(address).first->stream);
    }
  }
  sizes_ = std::move(now);
}

std::string RecordedProgram::segments() const {
  PickleText text;
  const std::size_t start = text.so_far().size();
  for (const auto& [address, segment] : allocator_.segments()) {
    const StreamNumber stream = segment.first->stream;
    text.raw("}(").field("device", 0).field("address", address).field("total_size", segment.bytes);
    text.field("stream", stream).field("segment_type", segment.first->pool->is_small() ? "small" : "large");
    if (private_.contains(stream)) {
      text.text("segment_pool_id").raw("(").number(0).number(stream).raw("t");
    }
    text.text("blocks").raw("](");
    for (const Block* block = segment.first; block != nullptr; block = block->next) {
      const bool lives = block->state == BlockState::allocated;
      text.raw("}(").field("address", block->address).field("size", block->bytes);
      text.field("requested_size", block->requested).field("state", lives ? "active_allocated" : "inactive");
      if (lives) {
        frames(text, live_[by_address_.at(block->address)].stack);
      }
      text.raw("u");
    }
    text.raw("eu");
  }
  return text.so_far().substr(start);
}

std::string RecordedProgram::pickle() const {
  PickleText text;
  text.raw("}(").text("segments").raw("](").raw(segments()).raw("e");
  text.text("device_traces").raw("](](").raw(trace_).raw("ee");
  text.text("external_annotations").raw("](").raw(annotations_).raw("e");
  text.text("allocator_settings").raw("}(");
  text.field("PYTORCH_CUDA_ALLOC_CONF", settings_text.value_or(settings_)).raw(more_settings).raw("u");
  return text.raw(more).raw("u").stop();
}

Recording RecordedProgram::recording() const { return read_pickle(pickle()); }

Recording read_pickle(const std::string& pickle) {
  TextSource source(pickle, std::size_t{1} << 20);
  return read_snapshot_devices(source, "program.pickle").front();
}

}  // namespace molgauge::allocator::test
