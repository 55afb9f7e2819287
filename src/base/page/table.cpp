#include "base/page/table.h"

#include <fmt/format.h>

#include "base/core/text/csv.h"
#include "base/core/text/printable.h"
#include "base/page/markup.h"

namespace molgauge::page {
namespace {

std::string replaced(const std::string& text, const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t taken = 0;
    for (const auto& [from, to] : pairs) {
      if (text.compare(i, from.size(), from) == 0) {
        result += to;
        taken = from.size();
        break;
      }
    }
    if (taken == 0) {
      result += text[i];
    }
    i += taken == 0 ? 1 : taken;
  }
  return result;
}

/// Escapes control characters, because TeX interprets some of them.
std::string latex_text(const std::string& text) {
  return replaced(printable(replaced(text, {{"\n", " "}})), {{"\\", "\\textbackslash{}"},
                                                             {"&", "\\&"},
                                                             {"%", "\\%"},
                                                             {"$", "\\$"},
                                                             {"#", "\\#"},
                                                             {"_", "\\_"},
                                                             {"{", "\\{"},
                                                             {"}", "\\}"},
                                                             {"~", "\\textasciitilde{}"},
                                                             {"^", "\\textasciicircum{}"},
                                                             {"\u00B1", "$\\pm$"},
                                                             {"\u2191", "$\\uparrow$"},
                                                             {"\u2193", "$\\downarrow$"},
                                                             {"\u2026", "\\ldots{}"}});
}

/// Joins the texts of the cells with the separator `between`.
template <typename Cells, typename Text>
std::string joined(const Cells& cells, const char* between, Text text) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i == 0 ? "" : between;
    line += text(cells[i]);
  }
  return line;
}

std::string marked(const std::string& text, bool best, const char* before, const char* after) {
  return best ? before + text + after : text;
}

const char* html_class(const TableColumn& column) { return column.numeric ? " class=\"number\"" : ""; }

}  // namespace

std::string to_html(const Table& table) {
  std::string html = fmt::format("<div class=\"scroll\"><table><caption>{}</caption><thead><tr>",
                                 escape_markup(table.caption));
  for (const TableColumn& column : table.columns) {
    html += fmt::format("<th scope=\"col\"{}>{}</th>", html_class(column), escape_markup(column.name));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += fmt::format("<td{} data-name=\"{}\">{}</td>", html_class(table.columns[i]),
                          escape_markup(table.columns[i].name),
                          marked(escape_markup(row[i].text), row[i].best, "<strong>", "</strong>"));
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string to_markdown(const Table& table) {
  std::string text = "**" + escape_markdown(table.caption) + "**\n\n| ";
  text +=
      joined(table.columns, " | ", [](const TableColumn& column) { return escape_markdown(column.name); });
  text += " |\n|";
  text +=
      joined(table.columns, "|", [](const TableColumn& column) { return column.numeric ? "--:" : "---"; });
  text += "|\n";
  for (const auto& row : table.rows) {
    text += "| " +
            joined(row, " | ",
                   [](const TableCell& cell) {
                     return marked(escape_markdown(cell.text), cell.best, "**", "**");
                   }) +
            " |\n";
  }
  return text + "\n";
}

std::string to_latex(const Table& table, const std::string& label) {
  std::string text = "\\begin{table}\n  \\centering\n";
  text += fmt::format("  \\caption{{{}}}\n  \\label{{{}}}\n  \\begin{{tabular}}{{", latex_text(table.caption),
                      label);
  text += joined(table.columns, "", [](const TableColumn& column) { return column.numeric ? "r" : "l"; });
  text += "}\n    \\toprule\n    ";
  text += joined(table.columns, " & ", [](const TableColumn& column) { return latex_text(column.name); });
  text += " \\\\\n    \\midrule\n";
  for (const auto& row : table.rows) {
    text += "    " +
            joined(row, " & ",
                   [](const TableCell& cell) {
                     return marked(latex_text(cell.text), cell.best, "\\textbf{", "}");
                   }) +
            " \\\\\n";
  }
  return text + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n\n";
}

std::string to_csv(const Table& table, CsvTexts texts) {
  std::string text =
      joined(table.columns, ",", [](const TableColumn& column) { return csv_field(column.name); }) + "\n";
  for (const auto& row : table.rows) {
    text += joined(row, ",", [&](const TableCell& cell) { return csv_field(cell.text, texts); }) + "\n";
  }
  return text;
}

}  // namespace molgauge::page
