#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/domain/known_parts.h"
#include "models/domain/reference.h"
#include "models/domain/training_match.h"

namespace headroom::domain {

/// Data of training molecules that pages and messages show. Molecules contains the data that are compared.
/// Each list has one entry for each molecule.
struct TrainingNotes {
  std::vector<std::string> names, smiles, scaffolds;
  std::vector<std::string> canonical_smiles;  ///< canonical SMILES of the standardised molecules
  std::vector<FormKeys> keys;                 ///< empty for a domain that an earlier version saved
  KnownParts known;
};

/// Training molecules that have the same standardised form, and were merged into the first of them.
struct MergedMolecules {
  std::size_t redrawn = 0;    ///< merged molecules that are drawn differently from the first molecule
  std::size_t conflicts = 0;  ///< molecules with several different values. The mean is used
  double median_range = 0;    ///< median of (largest - smallest value) over these molecules; 0 if there are
                              ///< none
};

struct TrainingSet {
  Molecules molecules;
  TrainingNotes notes;
  std::vector<double> values;  ///< values of --label-column, NaN for missing ones; empty without the option
  std::size_t duplicates = 0;  ///< molecules that were merged with an earlier one
  MergedMolecules merged;
  std::size_t failed = 0;
};

}  // namespace headroom::domain
