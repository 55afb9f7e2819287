#include "molecules/judging/training_match.h"

#include <cstring>

#include "molecules/judging/training_set.h"

namespace molgauge::domain {

FormKeys form_keys(const chem::Description& molecule) {
  return {hash128(molecule.drawn_smiles), hash128(molecule.parent_smiles), hash128(molecule.flat_smiles)};
}

std::size_t TrainingMatcher::HashOfHash::operator()(const Hash128& key) const {
  std::size_t first = 0;
  std::memcpy(&first, key.data(), sizeof first);
  return first;
}

TrainingMatcher::TrainingMatcher(const TrainingNotes& notes) : keys_(notes.keys) {
  const auto count = static_cast<std::uint32_t>(notes.canonical_smiles.size());
  for (std::uint32_t molecule = 0; molecule < count; ++molecule) {
    standard_.try_emplace(hash128(notes.canonical_smiles[molecule]), molecule);
    flat_.try_emplace(keys_[molecule].flat, molecule);
  }
}

TrainingMatch TrainingMatcher::find(const chem::Description& molecule) const {
  if (const auto found = standard_.find(hash128(molecule.canonical_smiles)); found != standard_.end()) {
    const FormKeys own = form_keys(molecule);
    const FormKeys& trained = keys_[found->second];
    return {own.drawn == trained.drawn     ? MatchKind::same
            : own.parent == trained.parent ? MatchKind::same_parent
                                           : MatchKind::tautomer,
            found->second};
  }
  if (const auto found = flat_.find(hash128(molecule.flat_smiles)); found != flat_.end()) {
    return {MatchKind::stereoisomer, found->second};
  }
  return {};
}

}  // namespace molgauge::domain
