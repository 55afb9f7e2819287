#include "pipeline/packing.h"

#include <algorithm>
#include <string_view>

namespace headroom::pipeline {
namespace {

/// An atom line of a mol block and its share of the bond lines.
constexpr std::size_t kMolblockBytesPerAtom = 90;

memory::ItemSize size_of_molblock(std::string_view text) {
  const std::size_t atoms = text.size() / kMolblockBytesPerAtom + 1;
  return {.atoms = atoms, .edges = 2 * atoms};
}

/// Counts atoms, pieces and ring closures of a SMILES, whether it is one or not.
class SmilesCount {
 public:
  explicit SmilesCount(std::string_view text) : text_(text) {
    while (place_ < text_.size() && !is_space(text_[place_])) {
      take();
    }
  }

  memory::ItemSize size() const {
    const std::size_t atoms = std::max<std::size_t>(1, atoms_);
    const std::size_t bonds = atoms + ring_ends_ / 2 - std::min(atoms, pieces_);
    return {.atoms = atoms, .edges = 2 * bonds};
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  void take() {
    const char c = text_[place_++];
    if (c == '[') {
      take_bracket();
    } else if (c == '%') {
      ++ring_ends_;
      place_ += 2;
    } else if (is_digit(c)) {
      ++ring_ends_;
    } else if (c == '.') {
      ++pieces_;
    } else if ((c == 'C' && at(place_) == 'l') || (c == 'B' && at(place_) == 'r')) {
      ++atoms_;
      ++place_;
    } else if (std::string_view("BCNOPSFIbcnops*").find(c) != std::string_view::npos) {
      ++atoms_;
    }
  }

  /// Isotope, element, charge, ...: one atom, unless it is a hydrogen that is none for the encoders.
  void take_bracket() {
    while (is_digit(at(place_))) {
      ++place_;
    }
    const bool is_hydrogen = at(place_) == 'H' && !(at(place_ + 1) >= 'a' && at(place_ + 1) <= 'z');
    atoms_ += is_hydrogen ? 0 : 1;
    place_ = std::min(text_.find(']', place_), text_.size() - 1) + 1;
  }

  std::string_view text_;
  std::size_t place_ = 0, atoms_ = 0, ring_ends_ = 0, pieces_ = 1;
};

}  // namespace

memory::ItemSize estimate_size(const chem::MoleculeRecord& record) {
  return record.format == chem::RecordFormat::molblock ? size_of_molblock(record.text)
                                                       : SmilesCount(record.text).size();
}

bool WindowCutter::fills(std::size_t atoms) {
  atoms_ += atoms;
  if (atoms_ < kBatches * batch_atoms_) {
    return false;
  }
  atoms_ = 0;
  return true;
}

}  // namespace headroom::pipeline
