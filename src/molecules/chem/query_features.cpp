#include "molecules/chem/query_features.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/SubstanceGroup.h>
#include <fmt/format.h>

#include "molecules/chem/perception.h"

namespace molgauge::chem {
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

/// The types of S-groups whose atoms repeat (CTfile formats, BIOVIA 2020).
constexpr auto kPolymers =
    std::to_array<std::string_view>({"SRU", "MON", "MER", "COP", "CRO", "MOD", "GRA", "ANY"});

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

void refuse_incomplete(const RDKit::ROMol& molecule) {
  const auto refuse = [](const std::string& part) {
    throw InvalidMolecule(part + ", so the molecule is incomplete. Draw the whole molecule");
  };
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (atom->getAtomicNum() == 0) {
      refuse(fmt::format("atom {} is a dummy (* or an R group)", atom->getIdx() + 1));
    }
    if (atom->hasProp(RDKit::common_properties::molAttachPoint)) {
      refuse(fmt::format("atom {} has an attachment point", atom->getIdx() + 1));
    }
  }
  for (const RDKit::SubstanceGroup& group : RDKit::getSubstanceGroups(molecule)) {
    std::string type;
    group.getPropIfPresent("TYPE", type);
    if (std::ranges::find(kPolymers, type) != kPolymers.end()) {
      refuse(fmt::format("contains a repeat unit of a polymer (S-group {})", type));
    }
  }
  if (molecule.hasProp(RDKit::common_properties::molFileLinkNodes)) {
    refuse("contains a repeat unit (link node)");
  }
}

}  // namespace molgauge::chem
