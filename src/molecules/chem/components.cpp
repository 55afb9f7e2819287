#include "molecules/chem/components.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <fmt/format.h>

#include "base/core/text/counted.h"
#include "molecules/chem/counter_ions.h"
#include "molecules/chem/standard_rules.h"

namespace molgauge::chem {
namespace {

using ComponentPointer = std::unique_ptr<RDKit::ROMol>;

/// A candidate for a main component.
struct Fragment {
  ComponentPointer molecule;
  std::string smiles, neutral;                   ///< canonical SMILES as drawn, and of the neutral form
  std::tuple<int, int, long, std::string> rank;  ///< fragments with smaller ranks come first
};

double weight_of(const RDKit::ROMol& molecule) {
  double sum = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    sum += atom->getMass();
  }
  return sum;
}

}  // namespace

std::vector<ComponentPointer> main_components(const RDKit::ROMol& molecule,
                                              RDKit::MolStandardize::Uncharger& uncharger) {
  std::vector<Fragment> fragments;
  for (const auto& shared : RDKit::MolOps::getMolFrags(molecule)) {
    if (!has_carbon(*shared)) {
      continue;
    }
    const ComponentPointer neutral(uncharger.uncharge(*shared));
    const std::string flat = RDKit::MolToSmiles(*neutral, /*doIsomericSmiles=*/false);
    const FragmentRole role = role_of(flat);
    if (role != FragmentRole::inorganic) {
      fragments.push_back({std::make_unique<RDKit::ROMol>(*shared),
                           RDKit::MolToSmiles(*shared),
                           RDKit::MolToSmiles(*neutral),
                           {-static_cast<int>(role), -static_cast<int>(shared->getNumHeavyAtoms()),
                            -std::lround(weight_of(*shared) * 100), flat}});
    }
  }
  std::ranges::stable_sort(fragments, [](const Fragment& one, const Fragment& other) {
    return std::tie(one.rank, one.smiles) < std::tie(other.rank, other.smiles);
  });
  std::vector<ComponentPointer> components;
  std::vector<std::string> known;
  for (Fragment& fragment : fragments) {
    const bool is_main = std::get<0>(fragment.rank) == std::get<0>(fragments.front().rank);
    if (is_main && std::ranges::find(known, fragment.neutral) == known.end()) {
      known.push_back(fragment.neutral);
      components.push_back(std::move(fragment.molecule));
    }
  }
  return components;
}

ComponentPointer joined(std::vector<ComponentPointer> components) {
  if (components.size() < 2) {
    return components.empty() ? nullptr : std::move(components.front());
  }
  ComponentPointer all = std::move(components.front());
  for (std::size_t i = 1; i < components.size(); ++i) {
    all.reset(RDKit::combineMols(*all, *components[i]));
  }
  auto sanitised = std::make_unique<RDKit::RWMol>(*all);
  RDKit::MolOps::sanitizeMol(*sanitised);
  return sanitised;
}

std::vector<std::string> remarks_of(const RDKit::ROMol& molecule) {
  std::vector<std::string> remarks;
  if (const std::size_t electrons = unpaired_electrons(molecule); electrons > 0) {
    remarks.push_back(fmt::format("radical with {}", counted(electrons, "unpaired electron")));
  }
  if (is_connected(molecule) || metals_of(molecule) == Metals::complex || !has_carbon(molecule)) {
    return remarks;
  }
  RDKit::MolStandardize::Uncharger uncharger;
  if (const std::size_t components = main_components(molecule, uncharger).size(); components > 1) {
    remarks.push_back(fmt::format("mixture of {} components, taken as one molecule", components));
  }
  return remarks;
}

}  // namespace molgauge::chem
