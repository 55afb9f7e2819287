#include "molecules/chem/description.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include <GraphMol/Fingerprints/MorganGenerator.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/PeriodicTable.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/components.h"
#include "molecules/chem/crippen.h"
#include "molecules/chem/identity_form.h"
#include "molecules/chem/murcko.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "molecules/chem/ring_names.h"
#include "molecules/chem/standard_form.h"

namespace molgauge::chem {
namespace {

constexpr unsigned kRadius = 2;
constexpr double kPerLogP = 1e6;

template <typename Value>
void sort_once(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// `drawn_atoms`: for each atom of `molecule`, the index of the same atom in the drawn molecule. If the
/// indices are unknown, the list is shorter than the list of atoms.
void fill_in_environments(const RDKit::ROMol& molecule, const std::vector<std::uint32_t>& drawn_atoms,
                          Description& description) {
  const std::unique_ptr<RDKit::FingerprintGenerator<std::uint32_t>> generator(
      RDKit::MorganFingerprint::getMorganGenerator<std::uint32_t>(kRadius));
  RDKit::AdditionalOutput places;
  places.allocateBitInfoMap();
  const std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>> counts(
      generator->getSparseCountFingerprint(molecule, nullptr, nullptr, -1, &places));
  for (const auto& [identifier, count] : counts->getNonzeroElements()) {
    description.environments.emplace_back(identifier, static_cast<std::uint32_t>(count));
  }
  std::sort(description.environments.begin(), description.environments.end());
  std::vector<std::optional<std::uint32_t>> own(molecule.getNumAtoms());
  for (const auto& [identifier, atoms] : *places.bitInfoMap) {
    for (const auto& [atom, radius] : atoms) {
      if (radius == 1) {
        own.at(atom) = static_cast<std::uint32_t>(identifier);
      }
    }
  }
  for (unsigned atom = 0; atom < own.size() && atom < drawn_atoms.size(); ++atom) {
    // RDKit lists an environment with the same bonds only once. Two atoms share theirs in a pair such as CO.
    for (const RDKit::Atom* const neighbour : molecule.atomNeighbors(molecule.getAtomWithIdx(atom))) {
      own[atom] = own[atom] ? own[atom] : own[neighbour->getIdx()];
    }
    if (own[atom]) {
      description.atom_environments.emplace_back(drawn_atoms[atom], *own[atom]);
    }
  }
}

void fill_in_parts(const RDKit::ROMol& molecule, Description& description) {
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (atom->getAtomicNum() != 1) {
      description.elements.push_back(static_cast<std::uint8_t>(atom->getAtomicNum()));
      ++description.heavy_atoms;
    }
  }
  sort_once(description.elements);
  for (const std::vector<int>& ring : molecule.getRingInfo()->atomRings()) {
    description.rings.push_back(ring_name(molecule, ring));
  }
  sort_once(description.rings);
}

}  // namespace

Description describe(const MoleculeRecord& record, Standardization standardization) {
  const auto drawn = read_molecule(record);
  return with_rdkit([&] {
    bring_to_identity_form(*drawn);
    Description description;
    description.drawn_smiles = RDKit::MolToSmiles(*drawn);
    StandardForm form = standard_form(*drawn, description.drawn_smiles, standardization);
    std::vector<std::uint32_t> drawn_atoms = std::move(form.atoms);
    if (form.molecule == nullptr) {
      drawn_atoms.resize(drawn->getNumAtoms());
      std::iota(drawn_atoms.begin(), drawn_atoms.end(), 0U);
    }
    const RDKit::RWMol* const molecule = form.molecule ? form.molecule.get() : drawn.get();
    fill_in_environments(*molecule, drawn_atoms, description);
    fill_in_parts(*molecule, description);
    description.log_p = crippen_log_p(*molecule);
    // The value is rounded, because the last digits of the sum depend on the order of the atoms, which
    // differs between spellings.
    description.log_p = std::round(description.log_p * kPerLogP) / kPerLogP;
    description.charge = RDKit::MolOps::getFormalCharge(*molecule);
    description.scaffold = murcko_scaffold_of(*molecule).smiles;
    description.remarks = remarks_of(*molecule);
    description.canonical_smiles = std::move(form.smiles);
    description.parent_smiles = std::move(form.parent_smiles);
    description.flat_smiles = flat_smiles(*molecule, description.canonical_smiles);
    return description;
  });
}

std::string element_symbol(std::uint8_t atomic_number) {
  return atomic_number == 0 ? "*" : RDKit::PeriodicTable::getTable()->getElementSymbol(atomic_number);
}

}  // namespace molgauge::chem
