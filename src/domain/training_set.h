#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "domain/known_parts.h"
#include "domain/reference.h"

namespace headroom::domain {

/// What is shown and told of training molecules, beside what is compared (Molecules); one of each a molecule.
struct TrainingNotes {
  std::vector<std::string> names, smiles, canonical_smiles, scaffolds;
  KnownParts known;

  std::unordered_set<std::string> canonical_set() const {
    return {canonical_smiles.begin(), canonical_smiles.end()};
  }
};

struct TrainingSet {
  Molecules molecules;
  TrainingNotes notes;
  std::vector<double> values;  ///< of --label-column, NaN where there is none; empty without the option
  std::size_t duplicates = 0;  ///< molecules that came again, and were left out
  std::size_t failed = 0;
};

}  // namespace headroom::domain
