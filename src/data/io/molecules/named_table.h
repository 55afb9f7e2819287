#pragma once

#include <string>
#include <string_view>

#include "headroom/in_memory.h"

/// Tables of molecules in memory, which readers open by name like files.
namespace headroom::io {

/// Gives a table a name while the object exists. open_molecules() reads the table under this name. The
/// columns are "smiles", "name" and the columns of numbers. Several threads may read it at once.
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

/// Whether a NamedTable has this name.
bool is_named_table(std::string_view name);

/// Whether an input can be read several times: a regular file or a NamedTable.
bool is_rereadable(const std::string& path);

}  // namespace headroom::io
