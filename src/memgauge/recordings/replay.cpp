#include "memgauge/recordings/replay.h"

#include <algorithm>

namespace molgauge::allocator {
namespace {

class Replay {
 public:
  Replay(const Recording& recording, const ReplayOptions& options)
      : recording_(recording),
        options_(options),
        allocator_(options.settings, options.capacity, options.card),
        blocks_(recording.allocations, nullptr),
        end_(std::min(options.stop_before, recording.events.size())) {
    for (const StreamNumber stream : recording.private_streams) {
      allocator_.declare_private(stream);
    }
    for (const auto& segment : recording.placed_segments) {
      allocator_.foresee_segment(segment.address, segment.bytes);
    }
    if (begins_as_recorded(recording, options)) {
      for (Block* const block : allocator_.restore(recording.start_segments)) {
        blocks_[block->holder] = block;
      }
      starts_running_ = true;
      note_peaks();
    }
  }

  void run() {
    for (; result_.events_run < end_ && !result_.stopped; ++result_.events_run) {
      // If the simulation starts from the recorded segments, the residents exist already.
      if (!starts_running_ || result_.events_run >= recording_.residents) {
        apply(recording_.events[result_.events_run]);
      }
      if (emptied_ < options_.empty_cache_after_events.size() &&
          options_.empty_cache_after_events[emptied_] == result_.events_run) {
        allocator_.empty_cache();
        ++emptied_;
      }
      if (stretch_ < options_.stretch_ends.size()) {
        note();
      }
      if (options_.after_event) {
        options_.after_event(result_.events_run, allocator_);
      }
    }
    result_.statistics = allocator_.statistics();
    result_.idle = idle_memory(allocator_);
  }

  ReplayResult result() && { return std::move(result_); }
  const CachingAllocator& allocator() const { return allocator_; }

 private:
  void apply(const MemoryEvent& event) {
    switch (event.kind) {
      case EventKind::allocate:
        allocate(event);
        return;
      case EventKind::free:
        allocator_.free(blocks_[event.allocation]);
        return;
      case EventKind::request_free:
        allocator_.request_free(blocks_[event.allocation]);
        return;
      case EventKind::complete_free:
        complete(event);
        return;
      case EventKind::empty_cache:
        allocator_.empty_cache();
        return;
      case EventKind::begin_phase:
      case EventKind::end_phase:
        return;
      case EventKind::out_of_memory:
        try_what_failed(event);
        return;
    }
  }

  void allocate(const MemoryEvent& event) {
    Block* const block = request(event);
    if (block == nullptr) {
      return;
    }
    block->holder = event.allocation;
    blocks_[event.allocation] = block;
    note_peaks();
  }

  void note_peaks() {
    const auto& statistics = allocator_.statistics();
    if (statistics.reserved.peak > peak_reserved_) {
      peak_reserved_ = statistics.reserved.peak;
      result_.peak_reserved_event = result_.events_run;
    }
    if (statistics.allocated.peak > peak_allocated_) {
      peak_allocated_ = statistics.allocated.peak;
      result_.peak_allocated_event = result_.events_run;
    }
  }

  /// Repeats a request that failed in the recorded program. The program continued without this memory, or
  /// ended.
  void try_what_failed(const MemoryEvent& event) {
    if (Block* const block = request(event)) {
      allocator_.free(block);
    }
  }

  Block* request(const MemoryEvent& event) {
    const std::uint64_t bytes = options_.change_request ? options_.change_request(event) : event.bytes;
    Block* const block = allocator_.allocate(bytes, event.stream);
    if (block == nullptr) {
      result_.stopped = event.kind != EventKind::out_of_memory;
      if (!result_.run_out) {
        run_out(bytes);
      }
    }
    return block;
  }

  /// Completes a pending free. If memory ran out after request_free(), the allocator has already completed
  /// the free, and the block may now belong to another allocation.
  void complete(const MemoryEvent& event) {
    Block* const block = blocks_[event.allocation];
    if (block->state == BlockState::pending && block->holder == event.allocation) {
      allocator_.complete_free(block);
    }
  }

  void run_out(std::uint64_t bytes) {
    const auto& statistics = allocator_.statistics();
    result_.run_out = OutOfMemoryEvent{result_.events_run,       bytes,
                                       statistics.allocated.now, statistics.reserved.now,
                                       allocator_.device_free(), idle_memory(allocator_)};
  }

  void note() {
    const auto& statistics = allocator_.statistics();
    point_.reserved = std::max(point_.reserved, statistics.reserved.now);
    point_.allocated = std::max(point_.allocated, statistics.allocated.now);
    if (result_.stopped || result_.events_run == options_.stretch_ends[stretch_]) {
      point_.event = result_.events_run;
      point_.idle = idle_memory(allocator_);
      result_.timeline.push_back(point_);
      point_ = {};
      ++stretch_;
    }
  }

  const Recording& recording_;
  const ReplayOptions& options_;
  CachingAllocator allocator_;
  std::vector<Block*> blocks_;  ///< the block of each allocation
  std::size_t end_;
  std::size_t stretch_ = 0;  ///< index of the current interval
  std::size_t emptied_ = 0;  ///< number of empty_cache() calls so far
  bool starts_running_ = false;
  std::uint64_t peak_reserved_ = 0, peak_allocated_ = 0;
  TimelinePoint point_;
  ReplayResult result_;
};

}  // namespace

std::vector<std::size_t> even_stretches(std::size_t events, std::size_t count) {
  const std::size_t stretches = std::min(events, count);
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= stretches; ++i) {
    ends.push_back(events * i / stretches - 1);
  }
  return ends;
}

ReplayResult replay(const Recording& recording, const ReplayOptions& options) {
  Replay run(recording, options);
  run.run();
  return std::move(run).result();
}

bool begins_as_recorded(const Recording& recording, const ReplayOptions& options) {
  std::uint64_t reserved = 0;
  for (const auto& segment : recording.start_segments) {
    reserved += segment.reserved;
  }
  return reserved > 0 && reserved <= options.capacity;
}

std::vector<SegmentPicture> picture_at(const Recording& recording, ReplayOptions options, std::size_t event) {
  options.stop_before = event;
  options.stretch_ends.clear();
  Replay run(recording, options);
  run.run();
  std::vector<std::uint32_t> origins(recording.allocations, 0);
  for (const auto& made : recording.events) {
    if (made.kind == EventKind::allocate) {
      origins[made.allocation] = made.origin;
    }
  }
  return picture_of(run.allocator(), [&](std::uint32_t allocation) { return origins[allocation]; });
}

}  // namespace molgauge::allocator
