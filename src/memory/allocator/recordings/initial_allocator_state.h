#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memory/allocator/recordings/snapshot_tables.h"
#include "memory/allocator/simulator/allocator_settings.h"
#include "memory/allocator/simulator/allocator_state.h"

namespace headroom::allocator {

/// The segments of a device, rolled back event by event from the end of its trace to the beginning.
///
/// A freed block's size is not recorded, only what was asked for. It is concluded from how the allocator
/// works: requests are rounded, blocks of the large pool are split only where more than 1 MiB is left, so
/// that no smaller gap can exist there. Where several sizes are possible the smallest is taken.
///
/// Streams of the pictures are numbers of SnapshotTables.
class InitialAllocatorState {
 public:
  /// `segments`: the segments at the end; their blocks tile them.
  InitialAllocatorState(const std::vector<SegmentPicture>& segments, const AllocatorSettings& settings);

  /// To be called once all is undone: is what is left a state that can be?
  void check();

  /// Undoes the event. Nothing more happens once a contradiction was found.
  void undo(const TraceRow& row);

  /// The reason why there is no consistent state; empty: there is one.
  const std::string& contradiction() const { return contradiction_; }
  /// Blocks in use have their address and requested bytes; the caller fills in BlockPicture::allocation.
  std::vector<SegmentPicture> pictures() const;

 private:
  struct BlockThen {
    std::uint64_t bytes = 0, requested = 0;
    bool in_use = false;
  };
  using Blocks = std::map<std::uint64_t, BlockThen>;
  struct SegmentThen {
    SegmentPicture picture;  ///< without its blocks
    Blocks blocks;           ///< by address
  };

  SegmentThen* segment_of(std::uint64_t address);
  void undo_segment_alloc(const TraceRow& row);
  void undo_segment_free(const TraceRow& row);
  void undo_alloc(const TraceRow& row);
  void undo_free(const TraceRow& row);
  void carve(SegmentThen& segment, Blocks::iterator hole, const TraceRow& row);
  void give_up(std::string reason) { contradiction_ = std::move(reason); }

  AllocatorSettings settings_;
  std::map<std::uint64_t, SegmentThen> segments_;
  std::string contradiction_;
};

}  // namespace headroom::allocator
