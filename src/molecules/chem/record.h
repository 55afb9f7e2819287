#pragma once

#include <cstddef>
#include <string>

namespace molgauge::chem {

enum class RecordFormat { smiles, molblock };

/// One molecule of the input: text that has not been parsed yet, and where it came from.
struct MoleculeRecord {
  std::string text;                            ///< SMILES (trimmed), or the lines of a mol block
  RecordFormat format = RecordFormat::smiles;  ///< format of `text`
  /// 0-based number of the record. Outputs with one row for each record use it as the row.
  std::size_t row = 0;
  std::size_t line = 0;  ///< 1-based line of the (unpacked) file at which the record
                         ///< starts
  std::string file;      ///< name of the file as the user gave it, or "-" for stdin
  /// The reason why `text` is only the beginning of the record. If this is set, the record is not a molecule.
  /// Usually empty.
  std::string unreadable = {};
};

}  // namespace molgauge::chem
