// Runs synthetic programs on the simulated card and writes their PyTorch snapshots.

#include <map>
#include <set>

#include "base/core/files/atomic_file.h"
#include "failing_programs.h"
#include "memgauge/simulator/caching_allocator.h"
#include "pickle_text.h"

namespace molgauge::allocator::test {
namespace {

class ProgramRun {
 public:
  ProgramRun(const FailingProgram& program, const std::vector<ProgramStep>& steps, std::string settings)
      : program_(program),
        steps_(steps),
        allocator_(parse_allocator_settings(settings), program.capacity - program.idle_private_bytes) {}

  /// Runs the program until a request fails or the program ends.
  void run() {
    for (const auto& step : steps_) {
      if (step.bytes == 0) {
        release(step);
      } else if (!request(step) && !program_.goes_on) {
        return;
      }
    }
  }

  bool failed() const { return failed_; }
  const std::string& trace() const { return trace_; }

  std::string segments(std::size_t device) const {
    PickleText text;
    const std::size_t start = text.so_far().size();
    for (const auto& [address, segment] : allocator_.segments()) {
      text.raw("}(").field("device", device).field("address", address);
      text.field("total_size", segment.bytes).field("stream", segment.first->stream);
      text.field("segment_type", segment.first->pool->is_small() ? "small" : "large")
          .text("blocks")
          .raw("](");
      for (const Block* block = segment.first; block != nullptr; block = block->next) {
        const bool lives = block->state == BlockState::allocated;
        text.raw("}(").field("address", block->address).field("size", block->bytes);
        text.field("requested_size", block->requested);
        text.field("state", lives ? "active_allocated" : "inactive");
        if (lives) {
          frames(text, stacks_.at(block->address));
        }
        text.raw("u");
      }
      text.raw("eu");
    }
    if (program_.idle_private_bytes > 0) {
      text.raw("}(")
          .field("device", device)
          .field("address", 4096)
          .field("total_size", program_.idle_private_bytes);
      text.field("stream", 0).field("segment_type", "large");
      text.text("segment_pool_id").raw("(").number(0).number(1).raw("t").text("blocks").raw("](}(");
      text.field("address", 4096).field("size", program_.idle_private_bytes).field("requested_size", 0);
      text.field("state", "inactive").raw("ueu");
    }
    return text.so_far().substr(start);
  }

 private:
  bool request(const ProgramStep& step) {
    Block* const block = allocator_.allocate(step.bytes, static_cast<StreamNumber>(step.stream));
    note_segments();
    if (block == nullptr) {
      failed_ = true;
      PickleText text;
      const std::size_t start = text.so_far().size();
      text.raw("}(").field("action", "oom").field("device_free", allocator_.device_free());
      text.field("size", step.bytes).field("stream", step.stream).field("time_us", ++time_);
      frames(text, step.stack);
      trace_ += text.raw("u").so_far().substr(start);
      return false;
    }
    event("alloc", block->address, step.bytes, step.stream, step.stack);
    blocks_[step.id] = {block, step.bytes};
    stacks_[block->address] = step.stack;
    return true;
  }

  void release(const ProgramStep& step) {
    const auto found = blocks_.find(step.id);
    if (found == blocks_.end()) {
      return;  // this request never got memory
    }
    const auto [block, bytes] = found->second;
    event("free_requested", block->address, bytes, step.stream, step.stack);
    event("free_completed", block->address, bytes, step.stream, step.stack);
    allocator_.free(block);
    blocks_.erase(found);
  }

  void note_segments() {
    std::map<std::uint64_t, std::uint64_t> now;
    for (const auto& [address, segment] : allocator_.segments()) {
      now[address] = segment.bytes;
    }
    for (const auto& [address, bytes] : sizes_) {
      if (!now.contains(address)) {
        event("segment_free", address, bytes, 0, 0);
      }
    }
    for (const auto& [address, bytes] : now) {
      if (!sizes_.contains(address)) {
        event("segment_alloc", address, bytes, 0, 0);
      }
    }
    sizes_ = std::move(now);
  }

  void event(std::string_view action, std::uint64_t address, std::uint64_t bytes, std::uint64_t stream,
             std::size_t stack) {
    PickleText text;
    const std::size_t start = text.so_far().size();
    text.raw("}(")
        .field("action", action)
        .field("addr", address)
        .field("size", bytes)
        .field("stream", stream);
    text.field("time_us", ++time_);
    if (action == "alloc") {
      frames(text, stack);
    }
    trace_ += text.raw("u").so_far().substr(start);
  }

  void frames(PickleText& text, std::size_t stack) const {
    text.text("frames").raw("](");
    for (const auto& frame : program_.stacks.at(stack)) {
      text.raw("}(")
          .field("name", frame.name)
          .field("filename", frame.file)
          .field("line", frame.line)
          .raw("u");
    }
    text.raw("e");
  }

  const FailingProgram& program_;
  const std::vector<ProgramStep>& steps_;
  CachingAllocator allocator_;
  std::string trace_;
  std::map<std::size_t, std::pair<Block*, std::uint64_t>> blocks_;  ///< blocks by the id of the step
  std::map<std::uint64_t, std::size_t> stacks_;                     ///< stacks by address
  std::map<std::uint64_t, std::uint64_t> sizes_;                    ///< sizes of segments, by address
  std::uint64_t time_ = 1'700'000'000'000'000;
  bool failed_ = false;
};

void write_snapshot(const FailingProgram& program, const std::vector<std::vector<ProgramStep>>& devices,
                    const std::string& path) {
  std::string segments, traces;
  for (std::size_t device = 0; device < devices.size(); ++device) {
    ProgramRun run(program, devices[device], program.settings);
    run.run();
    segments += run.segments(device);
    traces += "](" + run.trace() + "e";
  }
  PickleText text;
  text.raw("}(").text("segments").raw("](").raw(segments).raw("e");
  text.text("device_traces").raw("](").raw(traces).raw("e");
  text.text("allocator_settings").raw("}(").field("PYTORCH_CUDA_ALLOC_CONF", program.settings).raw("u");
  replace_file(path, text.raw("u").stop());
}

}  // namespace

std::vector<std::string> write_snapshots(const FailingProgram& program, const std::filesystem::path& folder) {
  if (!program.ranks) {
    const std::string path = (folder / (program.name + ".pickle")).string();
    write_snapshot(program, program.devices, path);
    return {path};
  }
  std::vector<std::string> paths;
  for (std::size_t rank = 0; rank < program.devices.size(); ++rank) {
    paths.push_back((folder / (program.name + std::to_string(rank) + ".pickle")).string());
    write_snapshot(program, {program.devices[rank]}, paths.back());
  }
  return paths;
}

bool fits_to_the_end(const FailingProgram& program, const std::string& settings, double batch) {
  for (std::vector<ProgramStep> steps : program.devices) {
    std::set<std::size_t> freed;
    for (const auto& step : steps) {
      if (step.bytes == 0) {
        freed.insert(step.id);
      }
    }
    for (auto& step : steps) {
      if (freed.contains(step.id)) {
        step.bytes = static_cast<std::uint64_t>(batch * static_cast<double>(step.bytes));
      }
    }
    ProgramRun run(program, steps, settings);
    run.run();
    if (run.failed()) {
      return false;
    }
  }
  return true;
}

}  // namespace molgauge::allocator::test
