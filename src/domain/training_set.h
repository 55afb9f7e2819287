#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "domain/known_parts.h"
#include "domain/reference.h"

namespace headroom::domain {

/// Data of training molecules for pages and messages, beside the compared ones (Molecules); one per molecule.
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
  std::vector<double> values;  ///< values of --label-column, NaN for missing ones; empty without the option
  std::size_t duplicates = 0;  ///< repeated molecules, which were left out
  std::size_t failed = 0;
};

}  // namespace headroom::domain
