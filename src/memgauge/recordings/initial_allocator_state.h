#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/memory/trace/allocator_settings.h"
#include "memgauge/recordings/snapshot_tables.h"
#include "memgauge/simulator/allocator_state.h"

namespace molgauge::allocator {

/// Reconstructs the segments of a device at the beginning of its trace. Starts with the state at the end and
/// undoes each event.
///
/// A recording contains the requested size of a freed block, but not the size of the block. The block size
/// follows from the rules of the allocator. Requests are rounded. Blocks of the large pool are split only if
/// more than 1 MiB remains, so the large pool has no smaller gap. If several sizes are possible, the smallest
/// is used.
///
/// Streams have the numbers of SnapshotTables.
class InitialAllocatorState {
 public:
  /// `segments`: the segments at the end. The blocks of a segment fill it without gaps.
  InitialAllocatorState(const std::vector<SegmentPicture>& segments, AllocatorSettings settings);

  /// Checks that the remaining state is valid. Call it after all events are undone.
  void check();

  /// Undoes the event. Has no effect after a contradiction was found.
  void undo(const TraceRow& row);

  /// Returns the reason why there is no consistent state, or an empty text if there is one.
  const std::string& contradiction() const { return contradiction_; }
  /// Returns the segments. Blocks in use have their address and requested bytes. The caller fills in
  /// BlockPicture::allocation.
  std::vector<SegmentPicture> pictures() const;

 private:
  struct BlockThen {
    std::uint64_t bytes = 0, requested = 0;
    bool in_use = false;
  };
  using Blocks = std::map<std::uint64_t, BlockThen>;
  struct SegmentThen {
    SegmentPicture picture;  ///< the segment without its blocks
    Blocks blocks;           ///< blocks by address
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

}  // namespace molgauge::allocator
