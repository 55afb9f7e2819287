#pragma once

#include <cstddef>
#include <string>

namespace headroom::chem {

enum class RecordFormat { smiles, molblock };

/// One molecule as it stands in the input: text that has not been understood yet, and where it came from.
struct MoleculeRecord {
  std::string text;                            ///< SMILES (trimmed), or the lines of a mol block
  RecordFormat format = RecordFormat::smiles;  ///< what `text` is
  std::size_t row = 0;                         ///< 0-based number of the record: its row in aligned output
  std::size_t line = 0;                        ///< 1-based line of the (unpacked) file at which it starts
  std::string file;                            ///< as the user named it; "-" for stdin
  /// Why `text` is only the beginning of what stands there; such a record is no molecule. Mostly empty.
  std::string unreadable = {};
};

}  // namespace headroom::chem
