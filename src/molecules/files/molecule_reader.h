#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "molecules/chem/record.h"

namespace molgauge::io {

/// The columns of the input that are returned with each molecule.
enum class OwnColumns {
  none,
  /// For a .csv or .tsv, all columns. For a list of SMILES, "name". For an .sdf, "name" (the title) and the
  /// data fields in the order in which they have occurred so far. For DrugOOD JSON, no columns.
  of_tables,
  /// The same columns as of_tables. In addition, "smiles" for a list of SMILES, and all fields for DrugOOD
  /// JSON.
  all
};

struct MoleculeReaderOptions {
  /// The column of a .csv or .tsv that holds the SMILES. Column names are compared exactly first, and then
  /// without regard to case. If the format has no columns, any value except the default is a UsageError.
  std::string smiles_column = "smiles";
  /// Names of further values to read for each molecule. A .csv or .tsv offers its columns. A .smi and
  /// standard input offer "name". An .sdf offers its data fields and "name" (the title). DrugOOD JSON offers
  /// "reg_label", "assay_id", "cls_label", "domain_id", "protein" and "split".
  std::vector<std::string> extra_columns;
  /// The columns of the input that follow the extra columns in MoleculeRow::fields.
  OwnColumns own_columns = OwnColumns::none;
  /// The option that names `smiles_column`, for messages.
  std::string smiles_option = "--smiles-column";
  /// The options that name the extra columns, in their order, for messages. May be empty.
  std::vector<std::string> extra_options = {};
  /// The extension that determines the format, such as ".smi". If empty, the extension of the path is used.
  std::string extension = {};
};

struct MoleculeRow {
  chem::MoleculeRecord record;
  /// The fields of the extra_columns come first, in their order. If the columns of the input are requested,
  /// their fields follow in the order of columns(). A field is empty if an .sdf record lacks it. For an .sdf,
  /// the fields contain only the columns that were known when the record was read.
  std::vector<std::string> fields;
};

/// Returns the index of the column with this name, ignoring case, or nothing if there is no such column.
std::optional<std::size_t> find_column(const std::vector<std::string>& columns, std::string_view name);
/// Returns the value of the column "name" in a row, or the value of "id" if there is no name. Returns an
/// empty text if the row has neither.
std::string name_in_row(const std::vector<std::string>& columns, std::span<const std::string> fields);

/// The molecules of an input, one at a time, as text that is not parsed yet. chem::perceive finds invalid
/// molecules. Rows are counted from 0, lines from 1.
///
/// Not thread safe. Memory: one record, except for DrugOOD JSON, which is read whole. next() throws
/// InputError naming file and line if the structure of the file is damaged.
class MoleculeReader {
 public:
  virtual ~MoleculeReader() = default;
  /// Returns the next molecule, or nothing at the end.
  virtual std::optional<MoleculeRow> next() = 0;
  /// Names of the columns of the input, if they are requested.
  virtual std::vector<std::string> columns() const { return {}; }
  /// For a .csv or .tsv, returns the index of the SMILES column in columns().
  virtual std::optional<std::size_t> smiles_field() const { return std::nullopt; }
};

/// Opens a file of molecules. Its extension, without ".gz", determines the format:
/// - .csv, .tsv: a header line, then rows. A row with more or fewer fields than the header is an error.
/// - .smi, .smiles, .txt, and "-" for standard input: SMILES, white space, name. A CXSMILES extension
///   (" |...|") stays with the SMILES. Blank lines and lines starting with '#' are skipped. The first line is
///   skipped if its first word ends in "smiles", in upper or lower case ("SMILES Name"), because no SMILES
///   ends like that.
/// - .sdf, .sd: mol blocks. The text contains the lines up to "M  END".
/// - .json: a list of objects (json_records.h), or DrugOOD JSON: all items of the five parts in the order of
/// the file.
/// - .jsonl, .ndjson: an object in each line.
///
/// `path` may also be the name of a table in memory, or the name of some rows of a file
/// (molecules/files/named_table.h). A file that is compressed with gzip is unpacked, even without ".gz" in
/// its name. Throws InputError for a missing file, a folder, an unknown extension, and a missing column. The
/// message for a missing column lists the existing columns and suggests the most similar name. Throws
/// UsageError for an option that does not apply to the format. During a call, the file is watched
/// (base/core/files/watched_inputs.h): if a later pass over the file reads other bytes than the first
/// complete pass, its last next() throws InputError.
std::unique_ptr<MoleculeReader> open_molecules(const std::string& path,
                                               const MoleculeReaderOptions& options = {});

}  // namespace molgauge::io
