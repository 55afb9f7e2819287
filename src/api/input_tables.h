#pragma once

#include <span>
#include <string>
#include <vector>

#include "headroom/arrow.h"
#include "headroom/in_memory.h"

namespace headroom::arrow {

/// The molecules of a stream: a column of text, or a table with the column "smiles", perhaps "name", and
/// columns of numbers. A null becomes an empty text, which is not a molecule. Releases the stream in any
/// case. Throws UsageError if there is no column "smiles", or if another column has an unsupported type.
MoleculeTable read_molecules(ArrowArrayStream* stream);

/// Molecules to draw. The table has the column "smiles" and can have the column "atoms", which contains atom
/// numbers as text.
struct DrawnMolecules {
  std::vector<std::string> smiles;
  std::vector<std::vector<std::size_t>> atoms;  ///< atoms to be coloured, one list for each molecule
};
DrawnMolecules read_drawn_molecules(ArrowArrayStream* stream);

/// The columns `names` as predictions. An empty name stands for a column that is not given. Throws UsageError
/// if the table lacks a column.
std::vector<InMemoryPrediction> predictions_in(const MoleculeTable& table, const std::string& value,
                                               const std::string& uncertainty, const std::string& lower,
                                               const std::string& upper);

}  // namespace headroom::arrow
