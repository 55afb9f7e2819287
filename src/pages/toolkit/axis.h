#pragma once

#include <string>
#include <vector>

namespace headroom::page {

struct Tick {
  double at = 0;
  std::string label;
};

/// An axis of a chart.
struct Axis {
  std::string title;  ///< title with the unit
  double low = 0, high = 1;
  std::vector<Tick> ticks;

  /// 0 at `low`, 1 at `high`.
  double share(double value) const { return (value - low) / (high - low); }
};

/// An axis that covers all finite values. Its limits and ticks are round numbers: steps of 1, 2 or 5 times a
/// power of ten, about `ticks` of them at most. Without a finite value, the axis covers 0 to 1.
Axis round_axis(std::string title, const std::vector<double>& values, std::size_t ticks = 5);

/// The integers from 1 to `last`, for epochs.
Axis counting_axis(std::string title, std::size_t last);

/// From 0 to 1, with a tick at each fifth.
Axis fraction_axis(std::string title);

/// Positions 0, 1, 2, ... for the labels, with half a step of room at both ends.
Axis category_axis(std::string title, const std::vector<std::string>& labels);

}  // namespace headroom::page
