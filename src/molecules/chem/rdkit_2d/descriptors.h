#pragma once

#include <cstdint>
#include <vector>

#include "molecules/chem/rdkit_2d/sets.h"
#include "molecules/chem/record.h"

namespace molgauge::chem::rdkit_2d {

/// Computes the descriptors of a molecule in the order of names(set), as chemprop passes them to a model: NaN
/// becomes 0. Set::descriptastorus computes them from RDKit's canonical SMILES, and a molecule without heavy
/// atoms has only zeros. Throws InvalidMolecule. Thread safety: any number of calls at once. Each concurrent
/// call uses its own copy of the substructure patterns, which stays in memory for later calls.
std::vector<double> descriptors_of(const MoleculeRecord& record, Set set);

/// An upper bound for the memory of one call for a molecule with up to `atoms` atoms, with its patterns.
constexpr std::uint64_t descriptor_bytes(std::uint64_t atoms) {
  constexpr std::uint64_t kPatterns = std::uint64_t{16} << 20, kMatrices = 8;
  return kPatterns + kMatrices * sizeof(double) * atoms * atoms;
}

}  // namespace molgauge::chem::rdkit_2d
