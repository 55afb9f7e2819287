#pragma once

#include <string>
#include <vector>

#include "base/core/text/csv.h"

namespace molgauge::page {

struct TableColumn {
  std::string name;
  bool numeric = false;  ///< aligned to the right, with digits of equal width
};

struct TableCell {
  std::string text;
  bool best = false;  ///< the best cell of its column
};

/// A table for several file formats. Every row has one cell for each column.
struct Table {
  std::string caption;
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;
};

/// Bold marks the best cells. Texts are escaped for each format.
std::string to_html(const Table& table);
std::string to_markdown(const Table& table);
/// Returns a LaTeX table in the style of the package booktabs. `label`: the label for \ref.
std::string to_latex(const Table& table, const std::string& label);
/// Returns the header and the rows as CSV, without the caption and without marks for the best cells.
std::string to_csv(const Table& table, CsvTexts texts = CsvTexts::exact);

}  // namespace molgauge::page
