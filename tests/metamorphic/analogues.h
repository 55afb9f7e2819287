#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace molgauge::test {

/// Returns canonical SMILES of analogues that differ in one step: CH3, C2H5, F, Cl, OH or OCH3 instead of a
/// hydrogen at a carbon atom, or a hydrogen instead of CH3. They differ from each other and from the
/// molecule.
std::vector<std::string> one_step_analogues(const std::string& smiles);

/// Returns the indices of the `count` molecules with the largest Tanimoto distance to their nearest neighbour
/// in the set, the most isolated molecule first. The fingerprints are folded Morgan counts.
std::vector<std::size_t> most_isolated(const std::vector<std::string>& smiles, std::size_t count);

/// Returns the SMILES of a peptide with free ends. `sequence`: one-letter codes of amino acids.
std::string peptide(const std::string& sequence);

/// Returns the molecular formula in Hill order, for example C2H6O.
std::string formula_of(const std::string& smiles);

std::size_t heavy_atoms_of(const std::string& smiles);

}  // namespace molgauge::test
