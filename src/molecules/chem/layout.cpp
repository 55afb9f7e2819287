#include "molecules/chem/layout.h"

#include <algorithm>
#include <cmath>

#include <GraphMol/Conformer.h>
#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/MolOps.h>

#include "molecules/chem/depict.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

std::int16_t hundredths(double coordinate) {
  return static_cast<std::int16_t>(std::lround(std::clamp(coordinate * 100, -32000.0, 32000.0)));
}

std::string charge_text(int charge) {
  if (charge == 0) {
    return "";
  }
  const std::string sign = charge > 0 ? "+" : "-";
  return std::abs(charge) == 1 ? sign : std::to_string(std::abs(charge)) + sign;
}

/// Returns the label of an atom, or an empty text for a carbon atom in a chain or ring.
std::string label_of(const RDKit::Atom& atom) {
  const bool plain = atom.getAtomicNum() == 6 && atom.getFormalCharge() == 0 && atom.getIsotope() == 0 &&
                     atom.getNumRadicalElectrons() == 0 && atom.getDegree() > 0;
  if (plain) {
    return "";
  }
  const unsigned hydrogens = atom.getTotalNumHs();
  std::string label = atom.getIsotope() > 0 ? std::to_string(atom.getIsotope()) : "";
  label += atom.getSymbol();
  if (hydrogens > 0) {
    label += hydrogens == 1 ? "H" : "H" + std::to_string(hydrogens);
  }
  return label + charge_text(atom.getFormalCharge());
}

std::uint8_t order_of(const RDKit::Bond& bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
      return 1;
    case RDKit::Bond::DOUBLE:
      return 2;
    case RDKit::Bond::TRIPLE:
      return 3;
    default:
      return 4;
  }
}

}  // namespace

Layout lay_out(const MoleculeRecord& record) {
  const auto molecule = read_molecule(record);
  if (molecule->getNumAtoms() > kMaxDrawnAtoms) {
    throw InvalidMolecule("its " + std::to_string(molecule->getNumAtoms()) + " atoms are more than the " +
                          std::to_string(kMaxDrawnAtoms) + " that a drawing may have");
  }
  return with_rdkit([&] {
    Layout layout;
    for (const RDKit::Atom* const atom : molecule->atoms()) {
      layout.atoms.push_back({0, 0, label_of(*atom)});
    }
    RDKit::MolOps::Kekulize(*molecule);
    RDDepict::compute2DCoords(*molecule);
    const RDKit::Conformer& places = molecule->getConformer();
    for (std::size_t i = 0; i < layout.atoms.size(); ++i) {
      const auto& place = places.getAtomPos(static_cast<unsigned>(i));
      layout.atoms[i].x = hundredths(place.x);
      layout.atoms[i].y = hundredths(place.y);
    }
    for (const RDKit::Bond* const bond : molecule->bonds()) {
      layout.bonds.push_back({static_cast<std::uint16_t>(bond->getBeginAtomIdx()),
                              static_cast<std::uint16_t>(bond->getEndAtomIdx()), order_of(*bond)});
    }
    return layout;
  });
}

}  // namespace molgauge::chem
