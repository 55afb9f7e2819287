#include "base/page/page.h"

#include <fmt/format.h>

#include "base/page/markup.h"

namespace molgauge::page {
namespace {

std::string legend_markup(const std::vector<LegendEntry>& legend) {
  std::string items;
  for (const LegendEntry& entry : legend) {
    items += fmt::format(
        R"(<li><svg viewBox="0 0 28 10" aria-hidden="true"><path class="line s{}" d="M1 5H27"/></svg>{}</li>)",
        entry.style, escape_markup(entry.name));
  }
  return items.empty() ? "" : "<ul class=\"legend\">" + items + "</ul>";
}

std::string figure_markup(const Figure& figure) {
  const std::string title =
      figure.title.empty() ? "" : "<p class=\"figure-title\">" + escape_markup(figure.title) + "</p>";
  const std::string code = figure.code.empty() ? "" : "<code>" + escape_markup(figure.code) + "</code>";
  return fmt::format("<figure>{}{}{}<figcaption>{}{}</figcaption></figure>\n", title,
                     legend_markup(figure.legend), figure.svg, escape_markup(figure.caption), code);
}

}  // namespace

void Page::section(std::string_view heading) {
  body_ += sections_ == 0 ? "" : "</section>\n";
  ++sections_;
  const std::string text = escape_markup(heading);
  contents_ += fmt::format("<li><a href=\"#part-{}\">{}</a></li>", sections_, text);
  body_ += fmt::format("<section id=\"part-{}\"><h2>{}</h2>\n", sections_, text);
}

void Page::heading(std::string_view text) { body_ += "<h3>" + escape_markup(text) + "</h3>\n"; }

void Page::paragraph(std::string_view text) { body_ += "<p>" + escape_markup(text) + "</p>\n"; }

void Page::list(const std::vector<std::string>& items) {
  body_ += "<ul>";
  for (const std::string& item : items) {
    body_ += "<li>" + escape_markup(item) + "</li>\n";
  }
  body_ += "</ul>\n";
}

void Page::table(const Table& table) { body_ += to_html(table); }

void Page::figures(const std::vector<Figure>& figures) { grid("figures", figures); }

void Page::gallery(const std::vector<Figure>& figures) { grid("gallery", figures); }

void Page::grid(const char* css_class, const std::vector<Figure>& figures) {
  if (figures.empty()) {
    return;
  }
  body_ += fmt::format("<div class=\"{}\">\n", css_class);
  for (const Figure& figure : figures) {
    body_ += figure_markup(figure);
  }
  body_ += "</div>\n";
}

void Page::fields(std::string_view heading, const std::vector<std::pair<std::string, std::string>>& fields) {
  body_ += "<details><summary>" + escape_markup(heading) + "</summary><dl>\n";
  for (const auto& [name, value] : fields) {
    body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_markup(name), escape_markup(value));
  }
  body_ += "</dl></details>\n";
}

void Page::verbatim(std::string_view heading, std::string_view text) {
  body_ += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", escape_markup(heading),
                       escape_markup(text));
}

std::string Page::to_string() const {
  const std::string title = escape_markup(title_);
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{}</title>
<style>
{}{}</style>
</head>
<body>
<header><h1>{}</h1><p class="subtitle">{}</p></header>
<nav aria-label="Contents"><ul>{}</ul></nav>
<main>
{}{}</main>
</body>
</html>
)",
                     title, style_sheet(), style_, title, escape_markup(subtitle_), contents_, body_,
                     sections_ == 0 ? "" : "</section>\n");
}

}  // namespace molgauge::page
