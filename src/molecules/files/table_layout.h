#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace molgauge::io {

/// Whether people give this name to a column of structures, in any case: "SMILES", "canonical_smiles",
/// "structure".
bool is_structure_column(std::string_view name);

/// The column whose name stands for structures. If several columns have such a name, the most common name
/// counts: "smiles" before "structure".
std::optional<std::size_t> find_structure_column(std::span<const std::string> header);

/// Whether a text has the form of a SMILES with at least two atoms: atoms, bonds, closed branches and rings.
/// Lower-case atoms need a ring. Names of columns such as "N", "ID" and "value" do not have this form.
bool is_clearly_smiles(std::string_view text);

/// Finds the separator of a table in its first lines.
class SeparatorChoice {
 public:
  /// `usual`: the separator if a line has none.
  explicit SeparatorChoice(char usual) : usual_(usual) {}

  /// Takes the first line, or the next one. Returns nothing if the line is not part of the table: a comment
  /// that begins with '#', or "sep=;" as Excel writes it. Otherwise, returns the separator that occurs most
  /// often outside of quotes: comma, semicolon or tab, or a bar if there is none of these.
  std::optional<char> operator()(std::string_view line);

 private:
  char usual_;
  std::optional<char> named_;  ///< by "sep="
};

/// The names of the columns of a table without a header: "smiles", "name" for the first other column of text,
/// and "column_3" for others. Returns nothing if no field of the first row is clearly a SMILES.
std::optional<std::vector<std::string>> names_without_header(std::span<const std::string> first_row);

/// Whether a text is a number whose comma may separate thousands, such as "1,234" or "-12,345,678".
bool may_be_thousands(std::string_view text);

/// Converts a number with a decimal comma, such as "5,3" or "-1,2e3". Returns other texts unchanged.
std::string with_decimal_point(std::string text);

}  // namespace molgauge::io
