#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/page/table.h"

namespace molgauge::page {

struct LegendEntry {
  std::size_t style = 0;  ///< style as in Series
  std::string name;
};

struct Figure {
  std::string title;
  std::string svg;
  std::string caption;  ///< description of the content of the drawing
  std::vector<LegendEntry> legend = {};
  std::string code = {};  ///< text after the caption, for example a SMILES
};

/// A self-contained HTML page. It does not load fonts or other files. It contains only scripts that you add
/// with markup(). The class escapes texts, but adds drawings unchanged.
class Page {
 public:
  Page(std::string title, std::string subtitle) : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

  /// Adds a section. The table of contents at the top of the page lists it.
  void section(std::string_view heading);
  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& items);
  void table(const Table& table);
  /// Places drawings side by side if there is room.
  void figures(const std::vector<Figure>& figures);
  /// Adds small figures, several in a row even on a phone.
  void gallery(const std::vector<Figure>& figures);
  /// Adds names and values in two columns. They are hidden until the reader clicks the heading.
  void fields(std::string_view heading, const std::vector<std::pair<std::string, std::string>>& fields);
  /// Adds preformatted text. It is hidden until the reader clicks the heading.
  void verbatim(std::string_view heading, std::string_view text);

  /// Adds HTML elements unchanged. The caller must escape all texts from files.
  void markup(std::string_view elements) { body_ += elements; }
  /// Adds rules to the style sheet of the page.
  void add_style(std::string_view rules) { style_ += rules; }

  std::string to_string() const;

 private:
  void grid(const char* css_class, const std::vector<Figure>& figures);

  std::string title_, subtitle_, contents_, body_, style_;
  std::size_t sections_ = 0;
};

/// The style sheet of every page (page/style_sheet.css), for light and dark themes, all screen widths, and
/// print. The colours of the series follow Okabe and Ito (2008), for colour-blind readers. They are lighter
/// in the dark theme. On paper, dashes distinguish the series.
std::string_view style_sheet();

}  // namespace molgauge::page
