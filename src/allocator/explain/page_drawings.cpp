#include "allocator/explain/page_drawings.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/bytes.h"

namespace headroom::allocator {
namespace {

constexpr double kWidth = 960, kHeight = 260;
constexpr double kLeft = 90, kTop = 16, kBottom = 34;
constexpr int kGridLines = 4;

/// From events and bytes to places on the drawing.
class CurveScale {
 public:
  CurveScale(const std::vector<PageCurve>& curves, std::uint64_t limit)
      : highest_(std::max<std::uint64_t>(limit, 1)) {
    for (const auto& curve : curves) {
      for (const auto& [event, bytes] : curve.points) {
        last_event_ = std::max(last_event_, event);
        highest_ = std::max(highest_, bytes);
      }
    }
  }
  double x(std::size_t event) const {
    return kLeft + (kWidth - kLeft - 10) * static_cast<double>(event) / static_cast<double>(last_event_);
  }
  double y(std::uint64_t bytes) const {
    const double share = static_cast<double>(bytes) / static_cast<double>(highest_);
    return kHeight - kBottom - (kHeight - kTop - kBottom) * share;
  }
  std::uint64_t highest() const { return highest_; }
  std::size_t last_event() const { return last_event_; }

 private:
  std::size_t last_event_ = 1;
  std::uint64_t highest_;
};

std::string grid(const CurveScale& scale) {
  std::string svg;
  for (int line = 0; line <= kGridLines; ++line) {
    const std::uint64_t bytes = scale.highest() / kGridLines * static_cast<std::uint64_t>(line);
    svg += fmt::format(
        "<line class='grid' x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}'/>"
        "<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>",
        kLeft, kWidth - 10, scale.y(bytes), scale.y(bytes), kLeft - 8, scale.y(bytes) + 4,
        format_bytes(bytes));
  }
  return svg + fmt::format("<text x='{}' y='{}' text-anchor='end'>event {}</text>", kWidth - 10, kHeight - 14,
                           scale.last_event());
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    switch (character) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        // Control characters are not allowed in HTML, whatever a recorded name holds.
        escaped += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
    }
  }
  return escaped;
}

std::string draw_curves(const std::vector<PageCurve>& curves, std::uint64_t limit) {
  const CurveScale scale(curves, limit);
  std::string svg = fmt::format("<svg viewBox='0 0 {} {}' role='img'>{}", kWidth, kHeight, grid(scale));
  if (limit > 0) {
    svg += fmt::format("<line class='limit' x1='{}' x2='{}' y1='{:.1f}' y2='{:.1f}'/>", kLeft, kWidth - 10,
                       scale.y(limit), scale.y(limit));
  }
  double legend = kLeft;
  for (const auto& curve : curves) {
    std::string path;
    for (const auto& [event, bytes] : curve.points) {
      path += fmt::format("{:.1f},{:.1f} ", scale.x(event), scale.y(bytes));
    }
    svg +=
        fmt::format("<polyline fill='none' stroke='{}' stroke-width='1.5' points='{}'/>", curve.colour, path);
    svg += fmt::format(
        "<rect x='{:.0f}' y='{}' width='10' height='10' fill='{}'/><text x='{:.0f}' y='{}'>{}</text>", legend,
        kHeight - 22, curve.colour, legend + 15, kHeight - 13, escape_html(curve.name));
    legend += 40 + 7.0 * static_cast<double>(curve.name.size());
  }
  return svg + "</svg>\n";
}

}  // namespace headroom::allocator
