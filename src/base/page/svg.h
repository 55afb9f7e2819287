#pragma once

#include <span>
#include <string>
#include <string_view>

namespace molgauge::page {

/// A point in pixels with y downwards, or in the units of an axis.
struct Point {
  double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

/// An SVG element for an HTML page. The style sheet of the page gives the classes their colours. This class
/// escapes texts. Class names come from the code of Molgauge and not from files. Coordinates are rounded to a
/// tenth of a pixel.
class SvgDrawing {
 public:
  /// `description`: text for screen readers.
  SvgDrawing(double width, double height, std::string_view description);

  void line(Point from, Point to, std::string_view css_class);
  /// Leaves out points that lie on a straight line after rounding to a tenth of a pixel.
  void path(std::span<const Point> points, std::string_view css_class);
  void rectangle(Point corner, double width, double height, std::string_view css_class);
  void circle(Point centre, double radius, std::string_view css_class);
  void text(Point at, Anchor anchor, std::string_view text, std::string_view css_class = "");
  /// Draws a text that is turned by 90 degrees and reads upwards.
  void upright_text(Point at, std::string_view text, std::string_view css_class = "");

  std::string to_string() const { return svg_ + "</svg>"; }

 private:
  std::string svg_;
};

}  // namespace molgauge::page
