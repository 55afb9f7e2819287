#include "base/page/plot_area.h"

#include <algorithm>
#include <limits>

namespace molgauge::page {
namespace {

constexpr double kLetter = 6.2;  ///< width of a digit in tick labels, rounded up

double text_width(const std::string& text) { return kLetter * static_cast<double>(text.size()); }

/// The centre of a label at `x`, moved if needed to keep the label inside the drawing.
double kept_inside(double x, const std::string& label) {
  const double half = text_width(label) / 2 + 1;
  return std::clamp(x, half, std::max(half, PlotArea::kWidth - half));
}

}  // namespace

void PlotArea::draw_axes(SvgDrawing& svg) const {
  for (const Tick& tick : y_.ticks) {
    const double y = place({0, tick.at}).y;
    svg.line({kLeft, y}, {kRight, y}, "grid");
    svg.text({kLeft - 6, y + 3.5}, Anchor::end, tick.label, "tick");
  }
  double last_end = -std::numeric_limits<double>::infinity();
  for (const Tick& tick : x_.ticks) {
    const double x = place({tick.at, 0}).x;
    svg.line({x, kBottom}, {x, kBottom + 4}, "axis");
    const double middle = kept_inside(x, tick.label);
    if (middle - text_width(tick.label) / 2 > last_end + 4) {
      svg.text({middle, kBottom + 17}, Anchor::middle, tick.label, "tick");
      last_end = middle + text_width(tick.label) / 2;
    }
  }
  svg.line({kLeft, kBottom}, {kRight, kBottom}, "axis");
  svg.text({(kLeft + kRight) / 2, kHeight - 6}, Anchor::middle, x_.title, "title");
  svg.upright_text({12, (kTop + kBottom) / 2}, y_.title, "title");
}

}  // namespace molgauge::page
