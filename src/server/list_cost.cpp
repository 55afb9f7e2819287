#include "server/list_cost.h"

#include <cctype>

namespace molgauge::serve {
namespace {

constexpr std::size_t kLinearAtoms = 100;

/// The number of atoms in a SMILES: letters of the organic subset, and brackets. "Cl" and "Br" count once.
std::size_t atoms_of(std::string_view smiles) {
  std::size_t atoms = 0;
  bool is_in_bracket = false;
  for (const char letter : smiles) {
    if (letter == ' ' || letter == '\t') {
      break;  // the rest of the line is an extension
    }
    if (letter == '[') {
      is_in_bracket = true;
      ++atoms;
    } else if (letter == ']') {
      is_in_bracket = false;
    } else if (!is_in_bracket) {
      constexpr std::string_view kAromatic = "bcnops";
      atoms += std::isupper(static_cast<unsigned char>(letter)) != 0 ||
                       kAromatic.find(letter) != std::string_view::npos
                   ? 1
                   : 0;
    }
  }
  return atoms;
}

}  // namespace

std::size_t cost_of(std::string_view smiles) {
  const std::size_t atoms = atoms_of(smiles);
  return atoms <= kLinearAtoms ? atoms : atoms * atoms / kLinearAtoms * atoms / kLinearAtoms;
}

std::size_t cost_of(const std::vector<ListedMolecule>& list) {
  std::size_t cost = 0;
  for (const ListedMolecule& molecule : list) {
    cost += cost_of(molecule.smiles);
  }
  return cost;
}

}  // namespace molgauge::serve
