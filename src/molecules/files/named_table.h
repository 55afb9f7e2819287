#pragma once

#include <string>
#include <string_view>

#include "molgauge/in_memory.h"

/// Tables of molecules in memory, which readers open by name like files.
namespace molgauge::io {

/// Gives a table a name while the object exists. open_molecules() reads the table under this name. The
/// columns are "smiles", "name", the columns of numbers and the columns of text. Several threads may read it
/// at once.
class NamedTable {
 public:
  /// `name`: text in angle brackets, such as "<molecules>", because no file has such a name. Messages contain
  /// the name. `table` must outlive the object. Throws std::logic_error if another table has the name.
  NamedTable(std::string name, const MoleculeTable& table);
  NamedTable(const NamedTable&) = delete;
  NamedTable& operator=(const NamedTable&) = delete;
  ~NamedTable();

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// Some rows of a file of molecules.
struct PartOfRows {
  std::string file;           ///< name of the file, or of a table in memory
  std::string column, value;  ///< rows are selected by the text of this column, without white space around it
  bool has_value = true;      ///< whether to select the rows with the value or all other rows
  std::string option;         ///< option that names the column, for messages
};

/// Gives some rows of a file a name while the object exists. open_molecules() reads the rows under this name.
/// They keep the line numbers and the columns of the file. Rows are counted from 0.
class NamedPart {
 public:
  /// The name is "FILE (COLUMN = VALUE)", or "FILE (COLUMN = not VALUE)" if has_value is false. Throws
  /// std::logic_error if another part has the name.
  explicit NamedPart(PartOfRows part);
  NamedPart(const NamedPart&) = delete;
  NamedPart& operator=(const NamedPart&) = delete;
  ~NamedPart();

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// Whether a NamedTable or a NamedPart has this name.
bool is_named_table(std::string_view name);

/// Whether an input can be read several times: a regular file, a NamedTable or a NamedPart.
bool is_rereadable(const std::string& path);

}  // namespace molgauge::io
