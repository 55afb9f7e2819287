#include "base/page/text_table.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/printable.h"
#include "base/core/text/utf8.h"

namespace molgauge::page {
namespace {

bool looks_like_a_number(const std::string& cell) {
  return !cell.empty() &&
         (std::isdigit(static_cast<unsigned char>(cell.back())) != 0 || cell == "-" || cell == "nan") &&
         cell.find_first_not_of("0123456789+-.,eEnan") == std::string::npos;
}

std::string shorten(const std::string& cell, std::size_t widest) {
  return utf8_characters(cell) <= widest ? cell : std::string(utf8_beginning(cell, widest - 3)) + "...";
}

/// Pads a cell to `width` characters. fmt is not used, because it counts the columns of a terminal.
std::string padded(const std::string& cell, std::size_t width, bool to_the_right) {
  const std::string blanks(width - std::min(width, utf8_characters(cell)), ' ');
  return "  " + (to_the_right ? blanks + cell : cell + blanks);
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() != rows_.front().size()) {
    throw Error(
        fmt::format("a table of {} columns was given a row of {}", rows_.front().size(), cells.size()));
  }
  for (std::string& cell : cells) {
    cell = printable(cell);
  }
  rows_.push_back(std::move(cells));
}

std::string TextTable::to_string() const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> widths(columns, 0);
  std::vector<bool> numeric(columns, rows_.size() > 1);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      widths[column] =
          std::max(widths[column], std::min(utf8_characters(rows_[row][column]), kMaxCellLength));
      numeric[column] = numeric[column] && (row == 0 || looks_like_a_number(rows_[row][column]));
    }
  }
  std::string text;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      line += padded(shorten(rows_[row][column], kMaxCellLength), widths[column], numeric[column]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (row == 0) {
      for (const std::size_t width : widths) {
        text += "  " + std::string(width, '-');
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace molgauge::page
