#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chem/record.h"

namespace headroom::session {

/// A column in a file of molecules. An option of the command names the column.
struct RequiredColumn {
  enum class Values { any, numbers };

  std::string option;  ///< "--label-column", for messages
  std::string column;
  Values values = Values::any;  ///< if `numbers`, each cell must be empty or a finite number
};

/// The option that names the SMILES column, and its value.
struct SmilesColumn {
  std::string column = "smiles";
  std::string option = "--smiles-column";
};

/// The result of require_columns().
struct CheckedColumns {
  /// Statistics of a required column of numbers.
  struct Numbers {
    std::size_t known = 0;      ///< cells that are not empty
    std::set<double> distinct;  ///< the first three distinct values
  };

  std::vector<std::string> names;  ///< all columns of the file
  std::size_t records = 0;
  std::vector<Numbers> numbers;  ///< statistics of each required column. 0 for a column that need not contain
                                 ///< numbers
};

/// Reads a file of molecules once, before anything is encoded.
/// - Throws InputError if a column is missing. The message has the file, the line of the header, the existing
///   columns and the nearest spelling.
/// - Throws InputError that names file and line if a column must contain numbers and one of its cells is not
///   a number.
/// - Throws InputError if the file cannot be read to its end.
/// - Throws UsageError if an option does not apply to the format of the file.
///
/// For a pipe, which cannot be read twice, the result is empty.
CheckedColumns require_columns(const std::string& path, const SmilesColumn& smiles,
                               std::span<const RequiredColumn> columns);

/// Returns the number in a cell of a record, or NaN if the cell is empty. Throws InputError that names file
/// and line if the cell is not a number (datasets::parse_label), or if the absolute value of the number is
/// above 1e100.
double number_in_cell(std::string_view cell, const chem::MoleculeRecord& record, const std::string& column,
                      const char* remedy = "Correct it, or leave the cell empty if there is no value");

}  // namespace headroom::session
