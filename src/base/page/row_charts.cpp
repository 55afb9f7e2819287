// Charts with named rows: values with intervals, and bars.

#include <algorithm>

#include <fmt/format.h>

#include "base/page/chart.h"
#include "base/page/markup.h"
#include "base/page/plot_area.h"

namespace molgauge::page {
namespace {

constexpr double kWidth = PlotArea::kWidth, kMargin = 18, kRow = 32;
/// The name of a row is above its line, so a long name can take the whole width.
constexpr double kNameHeight = 11, kLineHeight = 22;
constexpr std::size_t kLongestName = 45;

double x_of(const Axis& axis, double value) { return kMargin + axis.share(value) * (kWidth - 2 * kMargin); }

void draw_dot(const DotRow& row, double top, const Axis& axis, SvgDrawing& svg) {
  const double y = top + kLineHeight;
  svg.text({kMargin, top + kNameHeight}, Anchor::start, shortened(row.name, kLongestName), "name");
  svg.text({kWidth - kMargin, top + kNameHeight}, Anchor::end, fmt::format("{:.3f}", row.value), "value");
  svg.line({kMargin, y}, {kWidth - kMargin, y}, "grid");
  const double low = x_of(axis, row.interval.low), high = x_of(axis, row.interval.high);
  svg.line({low, y}, {high, y}, styled("bar-line", row.style));
  for (const double end : {low, high}) {
    svg.line({end, y - 3}, {end, y + 3}, styled("bar-line", row.style));
  }
  if (row.compared) {
    svg.circle({x_of(axis, *row.compared), y}, 4, styled("hollow", row.style));
  }
  svg.circle({x_of(axis, row.value), y}, 4, styled("mark", row.style));
}

}  // namespace

std::string draw_dots(const std::string& description, const std::string& unit,
                      const std::vector<DotRow>& rows) {
  std::vector<double> ends;
  for (const DotRow& row : rows) {
    ends.insert(ends.end(),
                {row.value, row.interval.low, row.interval.high, row.compared.value_or(row.value)});
  }
  const Axis axis = round_axis(unit, ends, 6);
  const double bottom = kRow * static_cast<double>(rows.size()) + 4;
  SvgDrawing svg(kWidth, bottom + 40, description);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    draw_dot(rows[i], kRow * static_cast<double>(i), axis, svg);
  }
  svg.line({kMargin, bottom}, {kWidth - kMargin, bottom}, "axis");
  for (const Tick& tick : axis.ticks) {
    svg.line({x_of(axis, tick.at), bottom}, {x_of(axis, tick.at), bottom + 4}, "axis");
    svg.text({x_of(axis, tick.at), bottom + 16}, Anchor::middle, tick.label, "tick");
  }
  svg.text({kWidth / 2, bottom + 34}, Anchor::middle, unit, "title");
  return svg.to_string();
}

std::string draw_bars(const std::string& description, const std::vector<BarRow>& rows) {
  double longest = 0;
  for (const BarRow& row : rows) {
    longest = std::max(longest, row.value);
  }
  SvgDrawing svg(kWidth, kRow * static_cast<double>(rows.size()) + 2, description);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double top = kRow * static_cast<double>(i);
    svg.text({kMargin, top + kNameHeight}, Anchor::start, shortened(rows[i].name, kLongestName), "name");
    svg.text({kWidth - kMargin, top + kNameHeight}, Anchor::end, rows[i].value_text, "value");
    const double width = longest > 0 ? rows[i].value / longest * (kWidth - 2 * kMargin) : 0;
    svg.rectangle({kMargin, top + 16}, width, 10, styled("bar", rows[i].style));
  }
  return svg.to_string();
}

}  // namespace molgauge::page
