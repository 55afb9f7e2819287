#pragma once

#include <string>
#include <vector>

namespace headroom::page {

/// A table for people: columns as wide as their content, numbers to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);

  /// One cell a column. Control characters are shown as escapes (core/printable.h); cells longer than
  /// `widest` characters are shortened with an ellipsis when printed.
  void add_row(std::vector<std::string> cells);
  void set_widest(std::size_t characters) { widest_ = characters; }
  std::string to_string() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< the header first
  std::size_t widest_ = 60;
};

}  // namespace headroom::page
