#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chem/record.h"

namespace headroom::io {

/// The input's own columns that are returned with each molecule.
enum class OwnColumns {
  none,
  /// All columns of a .csv or .tsv; "name" of a list of SMILES; of an .sdf "name" (the title) and its data
  /// fields in the order in which they have come up so far; none of DrugOOD JSON.
  of_tables,
  /// As of_tables, and "smiles" of a list of SMILES, all fields of DrugOOD JSON.
  all
};

struct MoleculeReaderOptions {
  /// The column of a .csv or .tsv that holds the SMILES. Column names are compared as they stand first, then
  /// without regard to case. Another value than the default is a UsageError where there are no columns.
  std::string smiles_column = "smiles";
  /// Further values wanted for each molecule: columns of a .csv or .tsv; "name" of a .smi or standard input;
  /// data fields and "name" (the title) of an .sdf; "reg_label", "assay_id", "cls_label", "domain_id",
  /// "protein" and "split" of DrugOOD JSON.
  std::vector<std::string> extra_columns;
  /// The input's own columns, which follow the extra ones.
  OwnColumns own_columns = OwnColumns::none;
  /// The option that names `smiles_column`, for messages.
  std::string smiles_option = "--smiles-column";
  /// The options that name the extra columns, in their order, for messages. May be empty.
  std::vector<std::string> extra_options = {};
  /// The extension that tells the format, such as ".smi". If it is empty, the path tells it.
  std::string extension = {};
};

struct MoleculeRow {
  chem::MoleculeRecord record;
  /// extra_columns, in their order, empty text where an .sdf record has none; then the input's own columns,
  /// where they are wanted: those that columns() names, of an .sdf as many as were known when the record was
  /// read.
  std::vector<std::string> fields;
};

/// The index of the column with this name, in any case of letters; none where there is none.
std::optional<std::size_t> find_column(const std::vector<std::string>& columns, std::string_view name);
/// The name of a molecule in a row with such columns: its name, else its id; empty where it has neither.
std::string name_in_row(const std::vector<std::string>& columns, std::span<const std::string> fields);

/// The molecules of an input, one at a time, as text that has not been understood yet: an unreadable molecule
/// is for chem::perceive to find. Rows are counted from 0, lines from 1.
///
/// Not thread safe. Memory: one record, except for DrugOOD JSON, which is read whole.
/// next() throws InputError, naming file and line, on damage to the structure of the file.
class MoleculeReader {
 public:
  virtual ~MoleculeReader() = default;
  /// The next molecule; nothing at the end.
  virtual std::optional<MoleculeRow> next() = 0;
  /// Names of the input's own columns, where they are wanted.
  virtual std::vector<std::string> columns() const { return {}; }
  /// Which of those is the SMILES column of a .csv or .tsv.
  virtual std::optional<std::size_t> smiles_field() const { return std::nullopt; }
};

/// Opens a file of molecules; its format is told by its extension, before ".gz" if it has that:
/// - .csv, .tsv: a header line, then rows; a row of another length than the header is an error.
/// - .smi, .smiles, .txt, and "-" for standard input: SMILES, white space, name. A CXSMILES extension ("
/// |...|") stays
///   with the SMILES. Blank lines and lines starting with '#' are passed over; so is a first line whose first
///   word ends in "smiles" in any case ("SMILES Name"), as no SMILES can.
/// - .sdf, .sd: mol blocks; the text is the lines through "M  END".
/// - .json: DrugOOD JSON, all items of the five parts in the order of the file.
/// - the name of a table in memory (data/io/molecules/named_table.h).
/// Gzip is unpacked whatever the name says. Throws InputError: missing file, folder, unknown extension,
/// missing column (with the existing columns and the nearest spelling). Throws UsageError on an option that
/// has no effect for the format.
std::unique_ptr<MoleculeReader> open_molecules(const std::string& path,
                                               const MoleculeReaderOptions& options = {});

}  // namespace headroom::io
