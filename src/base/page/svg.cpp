#include "base/page/svg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/page/markup.h"

namespace molgauge::page {
namespace {

/// A position in tenths of a pixel.
struct Place {
  long x = 0, y = 0;
};

/// Coordinates are clamped to this limit, because a damaged file may contain any number. The limit is far
/// outside of every drawing, but small enough that products of coordinates do not overflow.
constexpr double kFarthest = 1e6;

long tenths_of(double pixels) { return std::lround(std::clamp(pixels * 10, -kFarthest, kFarthest)); }

Place place_of(Point point) { return {tenths_of(point.x), tenths_of(point.y)}; }

/// Converts tenths of a pixel to pixels, with as few characters as possible.
std::string pixels(long tenths) { return fmt::format("{:g}", static_cast<double>(tenths) / 10); }
std::string pixels(double value) { return pixels(tenths_of(value)); }

const char* anchor_name(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

bool goes_straight_on(Place before, Place here, Place after) {
  const long in_x = here.x - before.x, in_y = here.y - before.y;
  const long out_x = after.x - here.x, out_y = after.y - here.y;
  return in_x * out_y == in_y * out_x && in_x * out_x + in_y * out_y > 0;
}

std::vector<Place> corners(std::span<const Point> points) {
  std::vector<Place> kept;
  for (const Point& point : points) {
    const Place place = place_of(point);
    if (!kept.empty() && kept.back().x == place.x && kept.back().y == place.y) {
      continue;
    }
    if (kept.size() > 1 && goes_straight_on(kept[kept.size() - 2], kept.back(), place)) {
      kept.back() = place;
    } else {
      kept.push_back(place);
    }
  }
  return kept;
}

}  // namespace

SvgDrawing::SvgDrawing(double width, double height, std::string_view description)
    : svg_(fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{}">)", pixels(width),
                       pixels(height), escape_markup(description))) {}

void SvgDrawing::line(Point from, Point to, std::string_view css_class) {
  svg_ += fmt::format(R"(<path class="{}" d="M{} {}L{} {}"/>)", css_class, pixels(from.x), pixels(from.y),
                      pixels(to.x), pixels(to.y));
}

void SvgDrawing::path(std::span<const Point> points, std::string_view css_class) {
  const std::vector<Place> places = corners(points);
  if (places.empty()) {
    return;
  }
  std::string steps = fmt::format("M{} {}", pixels(places[0].x), pixels(places[0].y));
  for (std::size_t i = 1; i < places.size(); ++i) {
    const long right = places[i].x - places[i - 1].x, down = places[i].y - places[i - 1].y;
    steps += down == 0    ? "h" + pixels(right)
             : right == 0 ? "v" + pixels(down)
                          : fmt::format("l{} {}", pixels(right), pixels(down));
  }
  svg_ += fmt::format(R"(<path class="{}" d="{}"/>)", css_class, steps);
}

void SvgDrawing::rectangle(Point corner, double width, double height, std::string_view css_class) {
  svg_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)", css_class,
                      pixels(corner.x), pixels(corner.y), pixels(width), pixels(height));
}

void SvgDrawing::circle(Point centre, double radius, std::string_view css_class) {
  svg_ += fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="{}"/>)", css_class, pixels(centre.x),
                      pixels(centre.y), pixels(radius));
}

void SvgDrawing::text(Point at, Anchor anchor, std::string_view text, std::string_view css_class) {
  svg_ += fmt::format(R"(<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>)", css_class, pixels(at.x),
                      pixels(at.y), anchor_name(anchor), escape_markup(text));
}

void SvgDrawing::upright_text(Point at, std::string_view text, std::string_view css_class) {
  svg_ += fmt::format(
      R"~(<text class="{}" transform="translate({} {}) rotate(-90)" text-anchor="middle">{}</text>)~",
      css_class, pixels(at.x), pixels(at.y), escape_markup(text));
}

}  // namespace molgauge::page
