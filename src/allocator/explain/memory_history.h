#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "allocator/recordings/recording.h"
#include "allocator/recordings/replay.h"

namespace headroom::allocator {

/// A moment of the run: requested bytes in use, by series.
struct HistoryPoint {
  std::size_t event = 0;
  double seconds = 0;  ///< since the first event; 0 where times are not recorded
  std::vector<std::uint64_t> held;
};

struct HistorySeries {
  std::string name;
  std::vector<std::string> frames;
};

struct PhaseSpan {
  std::string name;
  std::size_t first_event = 0, last_event = 0;
  std::size_t depth = 0;
};

/// Segments of one size that are about equally full.
struct SegmentGroup {
  std::uint64_t segment_bytes = 0;
  std::size_t count = 0;
  bool is_expandable = false;
  std::string pool;
  std::vector<std::uint64_t> held;  ///< bytes in use by series
  std::uint64_t pending = 0, free = 0;
};

/// Segments at one moment.
struct StateAt {
  std::size_t event = 0;
  std::vector<SegmentGroup> groups;
};

/// The holders of memory over time, for a page.
struct MemoryHistory {
  std::vector<HistorySeries> series;  ///< the largest holders, then one series for all others
  std::vector<HistoryPoint> points;
  std::vector<PhaseSpan> phases;  ///< the first few hundred
  bool has_times = false;
  /// The state at moments spread over the run, and the same moments under the cure.
  std::vector<StateAt> states, cured_states;
  std::string cure;  ///< name of the cure of cured_states; empty: none
};

/// Groups segments by size and by filling, in tenths. `series_of`: the series of each origin.
std::vector<SegmentGroup> group_segments(const std::vector<SegmentPicture>& segments,
                                         const std::vector<std::uint32_t>& series_of, std::size_t series);

/// The history of a recording: series for the origins that hold most memory at `moment`.
class HistoryRecorder {
 public:
  HistoryRecorder(const Recording& recording, std::size_t moment);

  /// The series of each origin.
  const std::vector<std::uint32_t>& series_of() const { return series_of_; }
  MemoryHistory history() const;
  /// The states at moments spread over a replay.
  std::vector<StateAt> states(ReplayOptions options) const;

 private:
  void choose_series(std::size_t moment);

  const Recording& recording_;
  std::vector<HistorySeries> series_;
  std::vector<std::uint32_t> series_of_;
};

}  // namespace headroom::allocator
