#include "molecules/chem/ring_names.h"

#include <algorithm>
#include <cctype>

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

}  // namespace

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

}  // namespace molgauge::chem
