#include "base/page/chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/page/plot_area.h"

namespace molgauge::page {
namespace {

bool is_finite(Point point) { return std::isfinite(point.x) && std::isfinite(point.y); }

void draw_line(const Series& series, const PlotArea& area, SvgDrawing& svg) {
  std::vector<Point> unbroken;
  const auto flush = [&] {
    svg.path(unbroken, styled("line", series.style));
    unbroken.clear();
  };
  for (const Point& point : series.points) {
    if (is_finite(point)) {
      unbroken.push_back(area.place(point));
    } else {
      flush();
    }
  }
  flush();
}

void draw_error_bar(Point at, Interval interval, std::size_t style, const PlotArea& area, SvgDrawing& svg) {
  constexpr double kHalfCap = 3;
  const Point low = area.place({at.x, interval.low}), high = area.place({at.x, interval.high});
  const std::string css_class = styled("bar-line", style);
  svg.line(low, high, css_class);
  for (const Point& end : {low, high}) {
    svg.line({end.x - kHalfCap, end.y}, {end.x + kHalfCap, end.y}, css_class);
  }
}

void draw_series(const Series& series, const PlotArea& area, SvgDrawing& svg) {
  draw_line(series, area, svg);
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const Point& point = series.points[i];
    if (!is_finite(point)) {
      continue;
    }
    if (i < series.error_bars.size()) {
      draw_error_bar(point, series.error_bars[i], series.style, area, svg);
    }
    if (series.marks) {
      svg.circle(area.place(point), 3, styled("mark", series.style));
    }
  }
}

}  // namespace

std::string styled(const char* css_class, std::size_t style) {
  return fmt::format("{} s{}", css_class, style % kMaxSeries);
}

std::string draw(const Chart& chart) {
  SvgDrawing svg(PlotArea::kWidth, PlotArea::kHeight, chart.description);
  const PlotArea area(chart.x, chart.y);
  area.draw_axes(svg);
  if (chart.reference) {
    svg.line(area.place(chart.reference->first), area.place(chart.reference->second), "reference");
  }
  // The first series is the most important one, so it is drawn last, over the others.
  for (auto series = chart.series.rbegin(); series != chart.series.rend(); ++series) {
    draw_series(*series, area, svg);
  }
  return svg.to_string();
}

std::string draw(const Histogram& histogram) {
  double highest = 0;
  for (const auto& group : histogram.groups) {
    for (const double share : group.shares) {
      highest = std::max(highest, share);
    }
  }
  Axis x = round_axis(histogram.unit, {histogram.low, histogram.high});
  x.low = histogram.low;
  x.high = histogram.high;
  std::erase_if(x.ticks, [&](const Tick& tick) { return tick.at < x.low || tick.at > x.high; });
  SvgDrawing svg(PlotArea::kWidth, PlotArea::kHeight, histogram.description);
  const PlotArea area(x, round_axis("share of molecules", {0, highest}, 4));
  area.draw_axes(svg);
  for (const auto& group : histogram.groups) {
    const double width = (histogram.high - histogram.low) / static_cast<double>(group.shares.size());
    std::vector<Point> outline = {area.place({histogram.low, 0})};
    for (std::size_t bin = 0; bin < group.shares.size(); ++bin) {
      const double left = histogram.low + width * static_cast<double>(bin);
      outline.push_back(area.place({left, group.shares[bin]}));
      outline.push_back(area.place({left + width, group.shares[bin]}));
    }
    outline.push_back(area.place({histogram.high, 0}));
    svg.path(outline, styled("area", group.style));
    svg.path(outline, styled("line", group.style));
  }
  return svg.to_string();
}

}  // namespace molgauge::page
