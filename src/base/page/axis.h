#pragma once

#include <string>
#include <vector>

namespace molgauge::page {

struct Tick {
  double at = 0;
  std::string label;
};

/// An axis of a chart.
struct Axis {
  std::string title;  ///< title with the unit
  double low = 0, high = 1;
  std::vector<Tick> ticks;

  /// Returns the relative position of `value`: 0 at `low`, 1 at `high`.
  double share(double value) const { return (value - low) / (high - low); }
};

/// Returns an axis that covers all finite values. Its limits and ticks are multiples of 1, 2 or 5 times a
/// power of ten. It has at most about `ticks` ticks. If there is no finite value, the axis covers 0 to 1.
Axis round_axis(std::string title, const std::vector<double>& values, std::size_t ticks = 5);

/// Returns an axis from 1 to `last` with ticks at integers, for epochs.
Axis counting_axis(std::string title, std::size_t last);

/// Returns an axis from 0 to 1 with a tick at each fifth.
Axis fraction_axis(std::string title);

/// Returns an axis with the labels at 0, 1, 2, ... and half a step of room at both ends.
Axis category_axis(std::string title, const std::vector<std::string>& labels);

}  // namespace molgauge::page
