#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memgauge/recordings/event_log.h"
#include "memgauge/recordings/snapshot_tables.h"

namespace molgauge::allocator {

/// Intervals that a program has named (torch.profiler.record_function, Optimizer.step). They become phases of
/// the recording, according to their times.
class Annotations {
 public:
  /// `list`: the external_annotations of the snapshot. Annotations of other devices are skipped.
  Annotations(const SnapshotTables& tables, SnapshotValue list, std::size_t device);

  /// Begins and ends phases in `log` up to the time `time_us`. Does nothing if the time is 0, which means
  /// unknown.
  void advance(std::uint64_t time_us, EventLog& log);
  /// Ends the open phases.
  void finish(EventLog& log);

 private:
  struct Mark {
    std::uint64_t time_us;
    bool begins;
    std::uint32_t name;  ///< index of a text
  };
  void apply(const Mark& mark, EventLog& log);

  const SnapshotTables& tables_;
  std::vector<Mark> marks_;
  std::size_t next_ = 0;
  std::vector<std::uint32_t> open_;
};

}  // namespace molgauge::allocator
