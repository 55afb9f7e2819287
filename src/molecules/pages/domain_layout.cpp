#include <algorithm>

#include "molecules/chem/layout.h"
#include "molecules/chem/perception.h"
#include "molecules/pages/domain_page.h"

namespace molgauge::report {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr int kMaxPlace = 4095;

/// Writes a number as two digits in base 64.
void append_number(int number, std::string& text) {
  text += kDigits[static_cast<std::size_t>(number) / 64];
  text += kDigits[static_cast<std::size_t>(number) % 64];
}

}  // namespace

/// Encodes the layout of a molecule. The text contains the number of atoms, x and y of each atom, and begin,
/// end and order of each bond. Then come a bar ("|") and "atom:label;" for each atom with a label. Numbers
/// have two digits, except the bond order, which has one digit. y points downwards.
std::string encoded_layout(const std::string& text, bool is_mol_block) {
  chem::MoleculeRecord record;
  record.text = text;
  record.format = is_mol_block ? chem::RecordFormat::molblock : chem::RecordFormat::smiles;
  chem::Layout layout;
  try {
    layout = chem::lay_out(record);
  } catch (const chem::InvalidMolecule&) {
    return {};
  }
  int left = layout.atoms[0].x, right = left, low = layout.atoms[0].y, high = low;
  for (const auto& atom : layout.atoms) {
    left = std::min<int>(left, atom.x);
    right = std::max<int>(right, atom.x);
    low = std::min<int>(low, atom.y);
    high = std::max<int>(high, atom.y);
  }
  const int shrink = 1 + std::max(right - left, high - low) / (kMaxPlace + 1);
  std::string encoded, labels;
  append_number(static_cast<int>(layout.atoms.size()), encoded);
  for (std::size_t i = 0; i < layout.atoms.size(); ++i) {
    const auto& atom = layout.atoms[i];
    append_number((atom.x - left) / shrink, encoded);
    append_number((high - atom.y) / shrink, encoded);
    if (!atom.label.empty()) {
      labels += std::to_string(i) + ":" + atom.label + ";";
    }
  }
  for (const auto& bond : layout.bonds) {
    append_number(bond.begin, encoded);
    append_number(bond.end, encoded);
    encoded += static_cast<char>('0' + bond.order);
  }
  return encoded + "|" + labels;
}

}  // namespace molgauge::report
