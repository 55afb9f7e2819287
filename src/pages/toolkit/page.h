#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pages/toolkit/table.h"

namespace headroom::page {

struct LegendEntry {
  std::size_t style = 0;  ///< as in Series
  std::string name;
};

struct Figure {
  std::string title;
  std::string svg;
  std::string caption;  ///< description of what the drawing shows
  std::vector<LegendEntry> legend = {};
  std::string code = {};  ///< such as a SMILES, after the caption
};

/// An HTML page, complete in one file: no font, no network, and no script but those that markup() adds.
/// Texts are escaped here, drawings are taken as they are.
class Page {
 public:
  Page(std::string title, std::string subtitle) : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

  /// A section that the contents at the top of the page name.
  void section(std::string_view heading);
  void heading(std::string_view text);
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& items);
  void table(const Table& table);
  /// Places drawings side by side where there is room.
  void figures(const std::vector<Figure>& figures);
  /// Small figures, several in a row even on a phone.
  void gallery(const std::vector<Figure>& figures);
  /// Fields in two columns, below a heading that unfolds them.
  void fields(std::string_view heading, const std::vector<std::pair<std::string, std::string>>& fields);
  /// Unchanged text, below a heading that unfolds it.
  void verbatim(std::string_view heading, std::string_view text);

  /// Adds elements unchanged. They are made by Headroom; every text from a file in them is escaped.
  void markup(std::string_view elements) { body_ += elements; }
  /// Adds rules to those of every page.
  void add_style(std::string_view rules) { style_ += rules; }

  std::string to_string() const;

 private:
  void grid(const char* css_class, const std::vector<Figure>& figures);

  std::string title_, subtitle_, contents_, body_, style_;
  std::size_t sections_ = 0;
};

/// The style sheet of every page (page/style_sheet.css): light and dark, for screens of any width, and for
/// print. The series colours follow Okabe and Ito (2008), for colour-blind readers. They are lighter in the
/// dark theme. On paper, dashes distinguish the series.
std::string_view style_sheet();

}  // namespace headroom::page
