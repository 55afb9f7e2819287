#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/page/axis.h"
#include "base/page/svg.h"

namespace molgauge::page {

/// Series differ in colour and dashes. A chart with more than seven series would be unreadable.
inline constexpr std::size_t kMaxSeries = 7;
/// The CSS classes of a mark with this style, for example "line s2".
std::string styled(const char* css_class, std::size_t style);

struct Interval {
  double low = 0, high = 0;
};

/// A line of a chart, in the units of its axes. Points that are not finite interrupt the line.
struct Series {
  std::size_t style = 0;  ///< 0 to kMaxSeries - 1: the colour and dashes of the legend
  std::vector<Point> points;
  std::vector<Interval> error_bars;  ///< intervals in y, one for each point. May be empty
  bool marks = false;                ///< a dot at every point
};

struct Chart {
  std::string description;  ///< text for screen readers
  Axis x, y;
  std::vector<Series> series;
  std::optional<std::pair<Point, Point>>
      reference;  ///< a faint line, for example the result of random guessing
};

/// Draws 360 x 250 pixels, which fits a phone. The page enlarges the drawing if there is room.
std::string draw(const Chart& chart);

/// A group of a histogram, drawn as steps between the edges of bins.
struct HistogramGroup {
  std::size_t style = 0;
  std::vector<double> shares;  ///< share of the values of the group in each bin
};

struct Histogram {
  std::string description, unit;
  double low = 0, high = 1;  ///< edges of the first and the last bin
  std::vector<HistogramGroup> groups;
};

std::string draw(const Histogram& histogram);

/// A row with a name, a value and an interval.
struct DotRow {
  std::string name;
  double value = 0;
  Interval interval;
  std::size_t style = 0;
  std::optional<double> compared = std::nullopt;  ///< a second value, drawn as a hollow dot
};

std::string draw_dots(const std::string& description, const std::string& unit,
                      const std::vector<DotRow>& rows);

/// A row with a bar from zero.
struct BarRow {
  std::string name, value_text;
  double value = 0;
  std::size_t style = 0;
};

std::string draw_bars(const std::string& description, const std::vector<BarRow>& rows);

}  // namespace molgauge::page
