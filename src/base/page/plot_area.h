#pragma once

#include "base/page/axis.h"
#include "base/page/svg.h"

namespace molgauge::page {

/// The rectangle of a drawing that contains the data. Axes, grid lines and titles surround it.
class PlotArea {
 public:
  static constexpr double kWidth = 360, kHeight = 250;  ///< size of the whole drawing

  PlotArea(Axis x, Axis y) : x_(std::move(x)), y_(std::move(y)) {}

  /// Draws grid lines and labels. Leaves out each x label that would touch the previous label.
  void draw_axes(SvgDrawing& svg) const;

  Point place(Point value) const {
    return {kLeft + x_.share(value.x) * (kRight - kLeft), kBottom - y_.share(value.y) * (kBottom - kTop)};
  }

 private:
  static constexpr double kLeft = 50, kRight = 350, kTop = 10, kBottom = 208;

  Axis x_, y_;
};

}  // namespace molgauge::page
