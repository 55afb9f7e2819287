#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace molgauge::test {

/// A set of molecules with measured values.
struct MoleculeSet {
  std::string name;
  std::vector<std::string> smiles;
  std::vector<std::string> values;  ///< texts of the measured values
  bool are_classes = false;
};

/// Names of the five public sets in the reference data, without ".csv".
const std::vector<std::string>& public_sets();

/// Reads SET.csv of the reference data. Returns nothing if it is absent.
std::optional<MoleculeSet> public_set(const std::string& name);

/// `count` molecules of the NCI set of rdkit-data. The value of a molecule is a function of its SMILES.
MoleculeSet nci_set(std::size_t count);

/// Returns `count` molecules that are spread evenly over the set. Each has another parent.
MoleculeSet distinct_part(const MoleculeSet& set, std::size_t count);

/// Molecules [first, last) of a set.
MoleculeSet slice(const MoleculeSet& set, std::size_t first, std::size_t last);

}  // namespace molgauge::test
