#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/datasets/label_column.h"

namespace molgauge::session {

/// A column in a file of molecules. An option of the command names the column.
struct RequiredColumn {
  enum class Values { any, numbers, labels };

  std::string option;  ///< "--label-column", for messages
  std::string column;
  /// If `numbers`, each cell must be empty or a finite number. If `labels`, the column must be valid for
  /// datasets::LabelColumn.
  Values values = Values::any;
};

/// The option that names the SMILES column, and its value.
struct SmilesColumn {
  std::string column = "smiles";
  std::string option = "--smiles-column";
};

/// The result of require_columns().
struct CheckedColumns {
  std::vector<std::string> names;  ///< all columns of the file
  std::size_t records = 0;
  std::vector<datasets::LabelColumn> labels;  ///< for each required column. Without labels if the column
                                              ///< need not contain labels
};

/// Reads a file of molecules once, before anything is encoded.
/// - Throws InputError if a column is missing. The message has the file, the line of the header, the existing
///   columns and the nearest spelling.
/// - Throws InputError that names file and line if a column must contain numbers or labels and one of its
///   cells is invalid.
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

}  // namespace molgauge::session
