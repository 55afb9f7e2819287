#pragma once

#include <string>
#include <vector>

#include "core/csv.h"

namespace headroom::page {

struct TableColumn {
  std::string name;
  bool numeric = false;  ///< aligned to the right, with digits of equal width
};

struct TableCell {
  std::string text;
  bool best = false;  ///< the best of its column
};

/// A table that goes into several kinds of files; every row has one cell a column.
struct Table {
  std::string caption;
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;
};

/// Best cells are bold. Texts are escaped for each format.
std::string to_html(const Table& table);
std::string to_markdown(const Table& table);
/// A table environment in the style of the package booktabs; `label` for \ref.
std::string to_latex(const Table& table, const std::string& label);
/// The header and the rows, without caption and marks.
std::string to_csv(const Table& table, CsvTexts texts = CsvTexts::exact);

}  // namespace headroom::page
