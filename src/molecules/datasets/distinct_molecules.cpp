#include "molecules/datasets/distinct_molecules.h"

#include <unordered_map>

namespace molgauge::datasets {
namespace {

/// The distinct molecules, and for each row the index of its molecule.
struct Distinct {
  std::vector<LabelledMolecule> molecules;
  std::vector<std::size_t> position_of_row;
};

Distinct distinct(const std::vector<LabelledMolecule>& rows, DuplicateCriterion same) {
  Distinct result;
  std::unordered_map<std::string, std::size_t> positions;
  for (const auto& row : rows) {
    const auto& key = same == DuplicateCriterion::text ? row.record.text : row.canonical_smiles;
    const auto [entry, is_new] = positions.emplace(key, result.molecules.size());
    if (is_new) {
      result.molecules.push_back(row);
    }
    result.position_of_row.push_back(entry->second);
  }
  return result;
}

}  // namespace

std::vector<LabelledMolecule> first_of_each(const std::vector<LabelledMolecule>& molecules,
                                            DuplicateCriterion same) {
  return distinct(molecules, same).molecules;
}

std::vector<LabelledMolecule> mean_of_each(const std::vector<LabelledMolecule>& molecules,
                                           DuplicateCriterion same) {
  Distinct result = distinct(molecules, same);
  std::vector<double> sums(result.molecules.size()), counts(result.molecules.size());
  for (std::size_t row = 0; row < molecules.size(); ++row) {
    sums[result.position_of_row[row]] += molecules[row].label;
    ++counts[result.position_of_row[row]];
  }
  for (std::size_t i = 0; i < result.molecules.size(); ++i) {
    result.molecules[i].label = sums[i] / counts[i];
  }
  return std::move(result.molecules);
}

}  // namespace molgauge::datasets
