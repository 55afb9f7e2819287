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
  /// All columns of a .csv or .tsv, and "name" of a list of SMILES. For an .sdf, "name" (the title) and the
  /// data fields in the order in which they have occurred so far. None for DrugOOD JSON.
  of_tables,
  /// As of_tables, and "smiles" of a list of SMILES, all fields of DrugOOD JSON.
  all
};

struct MoleculeReaderOptions {
  /// The column of a .csv or .tsv that holds the SMILES. Column names are compared exactly first, and then
  /// without regard to case. If the format has no columns, any value except the default is a UsageError.
  std::string smiles_column = "smiles";
  /// Further values to read for each molecule. A .csv or .tsv has columns. A .smi and standard input have
  /// "name". An .sdf has data fields and "name" (the title). DrugOOD JSON has "reg_label", "assay_id",
  /// "cls_label", "domain_id", "protein" and "split".
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
  /// The extra_columns in their order, then the input's own columns in the order of columns() if they are
  /// requested. A field is empty if an .sdf record lacks it. For an .sdf, only the columns that were known
  /// when the record was read.
  std::vector<std::string> fields;
};

/// Returns the index of the column with this name, in any case of letters, or nothing if there is none.
std::optional<std::size_t> find_column(const std::vector<std::string>& columns, std::string_view name);
/// Returns the name of a molecule in a row with such columns: its name, else its id. Empty if it has neither.
std::string name_in_row(const std::vector<std::string>& columns, std::span<const std::string> fields);

/// The molecules of an input, one at a time, as text that is not parsed yet. chem::perceive finds invalid
/// molecules. Rows are counted from 0, lines from 1.
///
/// Not thread safe. Memory: one record, except for DrugOOD JSON, which is read whole.
/// next() throws InputError, naming file and line, on damage to the structure of the file.
class MoleculeReader {
 public:
  virtual ~MoleculeReader() = default;
  /// Returns the next molecule, or nothing at the end.
  virtual std::optional<MoleculeRow> next() = 0;
  /// Names of the input's own columns if they are requested.
  virtual std::vector<std::string> columns() const { return {}; }
  /// Which of those is the SMILES column of a .csv or .tsv.
  virtual std::optional<std::size_t> smiles_field() const { return std::nullopt; }
};

/// Opens a file of molecules. Its extension, before ".gz" if any, determines the format:
/// - .csv, .tsv: a header line, then rows. A row of another length than the header is an error.
/// - .smi, .smiles, .txt, and "-" for standard input: SMILES, white space, name. A CXSMILES extension
///   (" |...|") stays with the SMILES. Blank lines and lines starting with '#' are skipped. So is a first
///   line if its first word ends in "smiles" in any case ("SMILES Name"), because no SMILES ends like that.
/// - .sdf, .sd: mol blocks; the text is the lines through "M  END".
/// - .json: DrugOOD JSON, all items of the five parts in the order of the file.
/// - the name of a table in memory (data/io/molecules/named_table.h).
/// Gzip is unpacked whatever the name says. Throws InputError: missing file, folder, unknown extension,
/// missing column (with the existing columns and the nearest spelling). Throws UsageError on an option that
/// has no effect for the format.
std::unique_ptr<MoleculeReader> open_molecules(const std::string& path,
                                               const MoleculeReaderOptions& options = {});

}  // namespace headroom::io
