#include "molecules/chem/atom_numbers.h"

#include <cmath>
#include <numeric>

#include <GraphMol/Conformer.h>
#include <GraphMol/MolOps.h>

namespace molgauge::chem {

void number_atoms(RDKit::ROMol& molecule) {
  std::vector<std::uint32_t> numbers(molecule.getNumAtoms());
  std::iota(numbers.begin(), numbers.end(), 0U);
  number_atoms(molecule, numbers);
}

void number_atoms(RDKit::ROMol& molecule, const std::vector<std::uint32_t>& numbers) {
  molecule.clearConformers();
  auto places = std::make_unique<RDKit::Conformer>(molecule.getNumAtoms());
  for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom) {
    places->setAtomPos(atom, {static_cast<double>(numbers.at(atom)), 0, 0});
  }
  molecule.addConformer(places.release(), true);
}

std::vector<unsigned> smiles_order(const RDKit::ROMol& molecule) {
  std::vector<unsigned> order;
  molecule.getPropIfPresent(RDKit::common_properties::_smilesAtomOutputOrder, order);
  return order;
}

std::vector<std::uint32_t> numbers_in_smiles_order(const RDKit::ROMol& molecule) {
  const std::vector<unsigned> order = smiles_order(molecule);
  if (molecule.getNumConformers() == 0 || order.size() != molecule.getNumAtoms()) {
    return {};
  }
  std::vector<std::uint32_t> numbers;
  numbers.reserve(order.size());
  for (const unsigned atom : order) {
    numbers.push_back(static_cast<std::uint32_t>(std::lround(molecule.getConformer().getAtomPos(atom).x)));
  }
  return numbers;
}

std::unique_ptr<RDKit::ROMol> in_canonical_order(const RDKit::ROMol& drawn) {
  const std::vector<unsigned> order = smiles_order(drawn);
  if (order.size() != drawn.getNumAtoms()) {
    auto copy = std::make_unique<RDKit::ROMol>(drawn);
    copy->clearConformers();
    return copy;
  }
  std::unique_ptr<RDKit::ROMol> molecule(RDKit::MolOps::renumberAtoms(drawn, order));
  number_atoms(*molecule);
  return molecule;
}

}  // namespace molgauge::chem
