#include "molecules/chem/properties.h"

#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include <GraphMol/Descriptors/Lipinski.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/Descriptors/MolSurf.h>
#include <GraphMol/FilterCatalog/FilterCatalog.h>
#include <GraphMol/MolOps.h>

#include "molecules/chem/crippen.h"
#include "molecules/chem/pattern_pool.h"
#include "molecules/chem/qed.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

using RDKit::FilterCatalog;
using RDKit::FilterCatalogParams;

/// The substructures that properties_of() searches.
struct Patterns {
  QedPatterns qed;
  FilterCatalog pains{FilterCatalogParams(FilterCatalogParams::PAINS)};
  FilterCatalog brenk{FilterCatalogParams(FilterCatalogParams::BRENK)};
  FilterCatalog nih{FilterCatalogParams(FilterCatalogParams::NIH)};
};

PatternPool<Patterns>& pattern_pool() {
  static PatternPool<Patterns> pool;
  return pool;
}

/// The last digits of a sum depend on the order of the atoms, which differs between drawings.
double rounded(double number) {
  constexpr double kPerUnit = 1e6;
  return std::round(number * kPerUnit) / kPerUnit;
}

std::vector<std::string> alerts_in(const RDKit::ROMol& molecule, const FilterCatalog& catalog) {
  std::vector<std::string> names;
  for (const auto& entry : catalog.getMatches(molecule)) {
    names.push_back(entry->getDescription());
  }
  return names;
}

std::int64_t lipinski_violations(const RDKit::ROMol& molecule, const MoleculeProperties& properties) {
  using namespace RDKit::Descriptors;
  return (properties.molecular_weight > 500 ? 1 : 0) + (properties.log_p > 5 ? 1 : 0) +
         (calcLipinskiHBD(molecule) > 5 ? 1 : 0) + (calcLipinskiHBA(molecule) > 10 ? 1 : 0);
}

MoleculeProperties compute(const RDKit::RWMol& molecule, const Patterns& patterns) {
  using namespace RDKit::Descriptors;
  MoleculeProperties properties;
  properties.molecular_weight = rounded(calcAMW(molecule));
  properties.log_p = rounded(crippen_log_p(molecule));
  properties.tpsa = rounded(calcTPSA(molecule));
  properties.h_bond_donors = calcNumHBD(molecule);
  properties.h_bond_acceptors = calcNumHBA(molecule);
  properties.rotatable_bonds = calcNumRotatableBonds(molecule);
  properties.rings = calcNumRings(molecule);
  properties.charge = RDKit::MolOps::getFormalCharge(molecule);
  properties.lipinski_violations = lipinski_violations(molecule, properties);
  properties.qed = rounded(patterns.qed.qed(molecule, properties));
  properties.pains_alerts = alerts_in(molecule, patterns.pains);
  properties.brenk_alerts = alerts_in(molecule, patterns.brenk);
  properties.nih_alerts = alerts_in(molecule, patterns.nih);
  return properties;
}

/// Calls a function with the patterns.
template <typename Function>
auto with_patterns(const Function& call) {
  return with_rdkit([&] { return pattern_pool().lend(call); });
}

}  // namespace

MoleculeProperties properties_of(const MoleculeRecord& record) {
  const auto molecule = read_molecule(record);
  return with_patterns([&](const Patterns& patterns) { return compute(*molecule, patterns); });
}

std::vector<std::size_t> alert_atoms(const MoleculeRecord& record, const std::string& alert) {
  const auto molecule = read_molecule(record);
  return with_patterns([&](const Patterns& patterns) {
    std::set<std::size_t> atoms;
    for (const FilterCatalog* const catalog : {&patterns.pains, &patterns.brenk, &patterns.nih}) {
      for (const auto& entry : catalog->getMatches(*molecule)) {
        std::vector<RDKit::FilterMatch> matches;
        if (entry->getDescription() != alert || !entry->getFilterMatches(*molecule, matches)) {
          continue;
        }
        for (const RDKit::FilterMatch& match : matches) {
          for (const auto& [of_pattern, of_molecule] : match.atomPairs) {
            atoms.insert(static_cast<std::size_t>(of_molecule));
          }
        }
      }
    }
    return std::vector<std::size_t>(atoms.begin(), atoms.end());
  });
}

}  // namespace molgauge::chem
