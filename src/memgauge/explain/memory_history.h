#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memgauge/explain/roles.h"
#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/replay.h"

namespace molgauge::allocator {

/// The requested bytes in use at one moment, by series.
struct HistoryPoint {
  std::size_t event = 0;
  double seconds = 0;  ///< seconds since the first event, or 0 if times are not recorded
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

/// The holders of memory over time, grouped by stack, phase or role.
struct HistoryView {
  std::string by;  ///< "stack", "phase", "role"
  std::vector<HistorySeries> series;
  std::vector<HistoryPoint> points;
};

/// The holders of memory over time, for a page.
struct MemoryHistory {
  std::vector<HistoryView> views;  ///< the first view is by stack, and `states` use the series of this view
  std::vector<PhaseSpan> phases;   ///< the first few hundred phases
  bool has_times = false;
  /// The states at moments that are spread over the run: as recorded, and with the change `cure`.
  std::vector<StateAt> states, cured_states;
  std::string cure;  ///< the change behind cured_states, or empty if no setting is a cure

  const std::vector<HistorySeries>& series() const { return views.front().series; }
};

/// Groups segments by size and by fill level, in tenths. `series_of`: the series of each origin.
std::vector<SegmentGroup> group_segments(const std::vector<SegmentPicture>& segments,
                                         const std::vector<std::uint32_t>& series_of, std::size_t series);

/// Makes the history of a recording. The origins, phases and roles with the most bytes at `moment` become
/// series.
class HistoryRecorder {
 public:
  HistoryRecorder(const Recording& recording, std::size_t moment, const std::vector<MemoryRole>& roles);

  /// The series of each origin, in the view by stack.
  const std::vector<std::uint32_t>& series_of() const { return series_of_; }
  MemoryHistory history() const;
  /// The states at moments distributed over the first `events` events of a replay.
  std::vector<StateAt> states(ReplayOptions options, std::size_t events) const;

 private:
  void see_by_stack(const std::vector<std::uint64_t>& held);
  HistoryView view_by_phase() const;
  HistoryView view_by_role() const;
  std::vector<HistoryPoint> points(const std::vector<std::uint32_t>& series_of_allocation,
                                   std::size_t series) const;

  const Recording& recording_;
  const std::vector<MemoryRole>& roles_;
  std::size_t moment_;
  std::vector<Lifetime> lifetimes_;
  std::vector<HistorySeries> series_;
  std::vector<std::uint32_t> series_of_;
};

}  // namespace molgauge::allocator
