#include "chem/query_features.h"

#include <string_view>

#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <fmt/format.h>

#include "chem/perception.h"

namespace headroom::chem {
namespace {

/// Whether the SMILES contains an atom by its number, as in [#6]. RDKit reads such an atom without hydrogens.
bool names_atom_by_number(std::string_view smiles) {
  smiles = smiles.substr(0, smiles.find_first_of(" \t"));
  bool in_bracket = false;
  for (const char letter : smiles) {
    in_bracket = letter == '[' || (in_bracket && letter != ']');
    if (in_bracket && letter == '#') {
      return true;
    }
  }
  return false;
}

constexpr const char* kAdvice = "Draw one molecule, with an element for each atom and an order for each bond";

}  // namespace

void refuse_queries(const MoleculeRecord& record, const RDKit::ROMol& molecule) {
  if (record.format == RecordFormat::smiles && names_atom_by_number(record.text)) {
    throw InvalidMolecule(
        fmt::format("contains a query: an atom is given by its number, as in [#6]. {}", kAdvice));
  }
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (atom->hasQuery() && atom->getAtomicNum() != 0) {
      throw InvalidMolecule(fmt::format("contains a query: atom {} stands for several elements. {}",
                                        atom->getIdx() + 1, kAdvice));
    }
    if (atom->hasQuery() && atom->getQuery()->getDescription() != "AtomNull") {
      throw InvalidMolecule(fmt::format("contains a query: atom {} stands for several elements. {}",
                                        atom->getIdx() + 1, kAdvice));
    }
  }
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    if (bond->hasQuery()) {
      throw InvalidMolecule(
          fmt::format("contains a query: the bond between the atoms {} and {} has no order. {}",
                      bond->getBeginAtomIdx() + 1, bond->getEndAtomIdx() + 1, kAdvice));
    }
  }
}

void refuse_dummies(const RDKit::ROMol& molecule) {
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (atom->getAtomicNum() == 0) {
      throw InvalidMolecule(fmt::format(
          "atom {} is a dummy (* or an R group), so the molecule is incomplete. Draw the whole molecule",
          atom->getIdx() + 1));
    }
  }
}

}  // namespace headroom::chem
