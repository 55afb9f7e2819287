#include "molecules/chem/description.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <GraphMol/Fingerprints/MorganGenerator.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/PeriodicTable.h>
#include <GraphMol/ROMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/components.h"
#include "molecules/chem/crippen.h"
#include "molecules/chem/identity_form.h"
#include "molecules/chem/murcko.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "molecules/chem/standard_form.h"

namespace molgauge::chem {
namespace {

std::string atom_text(const RDKit::Atom& atom) {
  std::string symbol = atom.getSymbol();
  if (atom.getIsAromatic()) {
    symbol[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(symbol[0])));
  }
  const bool organic = symbol == "C" || symbol == "N" || symbol == "O" || symbol == "S" || symbol == "c" ||
                       symbol == "n" || symbol == "o" || symbol == "s" || symbol == "P" || symbol == "B";
  const int charge = atom.getFormalCharge();
  if (organic && charge == 0) {
    return symbol;
  }
  return "[" + symbol + (charge > 0 ? "+" : charge < 0 ? "-" : "") + "]";
}

std::string bond_text(const RDKit::Bond& bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::DOUBLE:
      return "=";
    case RDKit::Bond::TRIPLE:
      return "#";
    case RDKit::Bond::SINGLE:
    case RDKit::Bond::AROMATIC:
      return "";
    default:
      return "~";
  }
}

std::string text_from(const std::vector<std::string>& atoms, const std::vector<std::string>& bonds,
                      std::size_t start, bool forwards) {
  const std::size_t size = atoms.size();
  std::string text = atoms[start] + "1";
  std::size_t at = start;
  for (std::size_t i = 1; i < size; ++i) {
    const std::size_t next = forwards ? (at + 1) % size : (at + size - 1) % size;
    text += bonds[forwards ? at : next] + atoms[next];
    at = next;
  }
  return text + bonds[forwards ? at : start] + "1";
}

/// Returns the name of a ring without its substituents, such as "c1ccncc1" or "C1CC=CCC1". A text for the
/// ring can begin at any atom and follow the ring in either direction. The name is the first of these texts
/// in sorted order. Equal rings therefore have equal names. `atoms`: in ring order.
std::string ring_name(const RDKit::ROMol& molecule, const std::vector<int>& atoms) {
  std::vector<std::string> names, bonds;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    names.push_back(atom_text(*molecule.getAtomWithIdx(static_cast<unsigned>(atoms[i]))));
    const int next = atoms[(i + 1) % atoms.size()];
    bonds.push_back(bond_text(
        *molecule.getBondBetweenAtoms(static_cast<unsigned>(atoms[i]), static_cast<unsigned>(next))));
  }
  std::string least;
  for (std::size_t start = 0; start < atoms.size(); ++start) {
    for (const bool forwards : {true, false}) {
      std::string text = text_from(names, bonds, start, forwards);
      if (least.empty() || text < least) {
        least = std::move(text);
      }
    }
  }
  return least;
}

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
