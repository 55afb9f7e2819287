#include "datasets/distinct_molecules.h"

#include <unordered_set>

#include "datasets/drugood_split.h"

namespace headroom::datasets {

std::vector<LabelledMolecule> first_of_each_text(const std::vector<LabelledMolecule>& molecules) {
  std::vector<LabelledMolecule> distinct;
  std::unordered_set<std::string> seen;
  for (const auto& molecule : molecules) {
    if (seen.insert(molecule.record.text).second) {
      distinct.push_back(molecule);
    }
  }
  return distinct;
}

std::vector<LabelledMolecule> mean_of_each_text(const std::vector<LabelledMolecule>& molecules) {
  std::vector<Measurement> measurements;
  for (const auto& molecule : molecules) {
    measurements.push_back({.smiles = molecule.record.text, .value = molecule.label});
  }
  auto distinct = first_of_each_text(molecules);
  const auto merged = merge_measurements(measurements);
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    distinct[i].label = merged[i].value;
  }
  return distinct;
}

}  // namespace headroom::datasets
