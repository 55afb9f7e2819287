#include "allocator/replay.h"

#include <algorithm>

namespace headroom::allocator {
namespace {

class Replay {
 public:
  Replay(const Recording& recording, const ReplayOptions& options)
      : recording_(recording),
        options_(options),
        allocator_(options.settings, options.capacity),
        blocks_(recording.allocations, nullptr),
        end_(std::min(options.stop_before, recording.events.size())),
        stretch_(options.timeline_points == 0 ? 0
                                              : std::max<std::size_t>(1, end_ / options.timeline_points)) {}

  void run() {
    for (; result_.events_run < end_ && !result_.run_out; ++result_.events_run) {
      apply(recording_.events[result_.events_run]);
      if (stretch_ > 0) {
        note();
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
      case EventKind::begin_phase:
        phases_.push_back(event.origin);
        return;
      case EventKind::end_phase:
        if (!phases_.empty() && phases_.back() == options_.empty_cache_after) {
          allocator_.empty_cache();
        }
        phases_.pop_back();
        return;
      case EventKind::out_of_memory:
        return;  // the program went on without it
    }
  }

  void allocate(const MemoryEvent& event) {
    const std::uint64_t bytes = options_.change_request ? options_.change_request(event) : event.bytes;
    Block* const block = allocator_.allocate(bytes, event.stream);
    if (block == nullptr) {
      run_out(bytes);
      return;
    }
    block->holder = event.allocation;
    blocks_[event.allocation] = block;
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

  /// Memory may have run short since the request: the block was completed then and may be somebody else's
  /// now.
  void complete(const MemoryEvent& event) {
    Block* const block = blocks_[event.allocation];
    if (block->state == BlockState::pending && block->holder == event.allocation) {
      allocator_.complete_free(block);
    }
  }

  void run_out(std::uint64_t bytes) {
    const auto& statistics = allocator_.statistics();
    result_.run_out = RunOut{result_.events_run,       bytes,
                             statistics.allocated.now, statistics.reserved.now,
                             allocator_.device_free(), idle_memory(allocator_)};
  }

  void note() {
    const auto& statistics = allocator_.statistics();
    point_.reserved = std::max(point_.reserved, statistics.reserved.now);
    point_.allocated = std::max(point_.allocated, statistics.allocated.now);
    const bool is_last = result_.run_out || result_.events_run + 1 == end_;
    if (is_last || (result_.events_run + 1) % stretch_ == 0) {
      point_.event = result_.events_run;
      point_.idle = idle_memory(allocator_);
      result_.timeline.push_back(point_);
      point_ = {};
    }
  }

  const Recording& recording_;
  const ReplayOptions& options_;
  CachingAllocator allocator_;
  std::vector<Block*> blocks_;  ///< by allocation
  std::size_t end_, stretch_;
  std::vector<std::uint32_t> phases_;
  std::uint64_t peak_reserved_ = 0, peak_allocated_ = 0;
  TimelinePoint point_;
  ReplayResult result_;
};

}  // namespace

ReplayResult replay(const Recording& recording, const ReplayOptions& options) {
  Replay run(recording, options);
  run.run();
  return std::move(run).result();
}

std::vector<SegmentPicture> picture_at(const Recording& recording, ReplayOptions options, std::size_t event) {
  options.stop_before = event;
  options.timeline_points = 0;
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

}  // namespace headroom::allocator
