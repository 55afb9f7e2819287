#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/core/hash.h"
#include "molecules/chem/description.h"
#include "molgauge/choices.h"

namespace molgauge::domain {

struct TrainingNotes;

/// Hashes of SMILES, to find out whether a candidate equals a training molecule.
struct FormKeys {
  Hash128 drawn{};   ///< canonical SMILES as drawn
  Hash128 parent{};  ///< canonical SMILES of the parent
  Hash128 flat{};    ///< canonical SMILES of the standardised molecule without stereochemistry
};
FormKeys form_keys(const chem::Description& molecule);

struct TrainingMatch {
  MatchKind kind = MatchKind::none;
  std::uint32_t molecule = 0;  ///< index of the training molecule. 0 if `kind` is none

  /// Returns true if the candidate and the training molecule are the same molecule after standardisation.
  bool is_same() const { return kind != MatchKind::none && kind != MatchKind::stereoisomer; }
};

/// Finds the training molecule that equals a candidate after standardisation, with or without
/// stereochemistry. Const methods may be called from several threads at once.
class TrainingMatcher {
 public:
  explicit TrainingMatcher(const TrainingNotes& notes);

  /// If several stereoisomers match, returns the first one in the training set.
  TrainingMatch find(const chem::Description& molecule) const;

 private:
  struct HashOfHash {
    std::size_t operator()(const Hash128& key) const;
  };
  using Places = std::unordered_map<Hash128, std::uint32_t, HashOfHash>;
  std::vector<FormKeys> keys_;  ///< empty for a domain that was saved without keys
  Places standard_, flat_;
};

}  // namespace molgauge::domain
