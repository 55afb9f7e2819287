#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge::page {

/// A table for people. Columns are as wide as their content. Numbers are aligned to the right.
class TextTable {
 public:
  static constexpr std::size_t kMaxCellLength = 60;

  explicit TextTable(std::vector<std::string> header);

  /// Adds a row with one cell for each column. Control characters are shown as escapes
  /// (base/core/text/printable.h). Cells that are longer than kMaxCellLength characters are shortened with an
  /// ellipsis when printed.
  void add_row(std::vector<std::string> cells);
  std::string to_string() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< the header first
};

}  // namespace molgauge::page
