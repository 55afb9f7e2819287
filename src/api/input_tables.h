#pragma once

#include <span>
#include <string>
#include <vector>

#include "molgauge/arrow.h"
#include "molgauge/in_memory.h"

namespace molgauge::arrow {

/// Reads molecules from a stream. The stream is a single column of text with any name, or a table with the
/// column "smiles". The table may also have a column "name" and columns of numbers. A null becomes an empty
/// text, which is not a valid molecule. The column `labels` may also be text. Always releases the stream.
/// Throws UsageError if a table has no column "smiles", or if another column has text or an unsupported type.
MoleculeTable read_molecules(ArrowArrayStream* stream, const std::string& labels = "");

/// Molecules to draw, from a table with the column "smiles". The optional column "atoms" contains the numbers
/// of the atoms to colour, as text.
struct DrawnMolecules {
  std::vector<std::string> smiles;
  std::vector<std::vector<std::size_t>> atoms;  ///< atoms to colour, one list for each molecule
};
DrawnMolecules read_drawn_molecules(ArrowArrayStream* stream);

/// Returns the named columns as predictions. If a name is empty, the predictions lack this number. Throws
/// UsageError if the table does not have a named column.
std::vector<InMemoryPrediction> predictions_in(const MoleculeTable& table, const std::string& value,
                                               const std::string& uncertainty, const std::string& lower,
                                               const std::string& upper);

}  // namespace molgauge::arrow
