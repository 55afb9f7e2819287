// Implements is_plainly_standard() for SMILES: scans the text for parts that a standardisation rule may
// change.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "molecules/chem/standard_form.h"

namespace molgauge::chem {
namespace {

constexpr auto kNitroGroups =
    std::to_array<std::string_view>({"[N+](=O)[O-]", "[N+]([O-])=O", "O=[N+]([O-])", "[O-][N+](=O)"});
constexpr std::string_view kDigits = "0123456789";

/// Reads atoms and bonds like a parser, but without making a molecule.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  bool is_plain() {
    while (at_ < text_.size()) {
      if (!step()) {
        return false;
      }
    }
    return std::all_of(sulfonyl_.begin(), sulfonyl_.end(),
                       [&](std::size_t atom) { return atoms_[atom].neighbours == 4; });
  }

 private:
  enum class Element : std::uint8_t { carbon, sulfur, other_chalcogen, other };
  struct Atom {
    Element element;
    std::uint8_t neighbours = 0;  ///< neighbours seen so far, without implicit hydrogens
  };
  enum class Bond : std::uint8_t { single, twofold, threefold };
  static constexpr std::size_t kNoAtom = static_cast<std::size_t>(-1);

  bool step() {
    for (const std::string_view group : kNitroGroups) {
      if (text_.substr(at_, group.size()) == group) {
        at_ += group.size();
        return atom(Element::other);
      }
    }
    const char letter = text_[at_];
    if (letter == '[') {
      return bracket();
    }
    ++at_;
    switch (letter) {
      case '(':
        branches_.push_back(last_);
        return true;
      case ')':
        if (branches_.empty()) {
          return false;
        }
        last_ = branches_.back();
        branches_.pop_back();
        return true;
      case '=':
      case '#':
        bond_ = letter == '=' ? Bond::twofold : Bond::threefold;
        // Stops the scan at a multiple bond that closes a ring, because its other atom is not known here.
        return at_ < text_.size() && text_[at_] != '%' && kDigits.find(text_[at_]) == std::string_view::npos;
      case '-':
      case '/':
      case '\\':
      case ':':
        return true;
      case '%':  // closes a ring whose number has two digits
        at_ += 2;
        return at_ <= text_.size() && close_ring();
      case 'C':
        return follows('l') ? atom(Element::other) : atom(Element::carbon);
      case 'B':
        follows('r');
        return atom(Element::other);
      case 'c':
        return atom(Element::carbon);
      case 'O':
      case 'o':
      case 's':
        return atom(Element::other_chalcogen);
      case 'S':
        return atom(Element::sulfur);
      case 'N':
      case 'P':
      case 'F':
      case 'I':
      case 'b':
      case 'n':
      case 'p':
        return atom(Element::other);
      default:
        return kDigits.find(letter) != std::string_view::npos && close_ring();
    }
  }

  bool follows(char letter) {
    const bool does = at_ < text_.size() && text_[at_] == letter;
    at_ += does ? 1 : 0;
    return does;
  }

  /// Accepts a bracket with carbon, nitrogen, oxygen, sulfur or hydrogen, without isotope, charge or class.
  bool bracket() {
    const std::size_t end = text_.find(']', at_);
    if (end == std::string_view::npos) {
      return false;
    }
    const std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (inner.empty() || std::string_view("CNOSHcnos").find(inner.front()) == std::string_view::npos) {
      return false;
    }
    const bool is_plain = inner.substr(1).find_first_not_of("@H0123456789") == std::string_view::npos;
    return is_plain && atom(element_of(inner.front()));
  }

  static Element element_of(char symbol) {
    switch (symbol) {
      case 'C':
      case 'c':
        return Element::carbon;
      case 'N':
      case 'n':
      case 'H':
        return Element::other;
      default:  // sulfur in brackets does not count as sulfonyl sulfur
        return Element::other_chalcogen;
    }
  }

  bool atom(Element element) {
    const std::size_t added = atoms_.size();
    atoms_.push_back({element});
    if (last_ != kNoAtom) {
      ++atoms_[last_].neighbours;
      ++atoms_[added].neighbours;
    }
    const Bond bond = bond_;
    const std::size_t other = last_;
    bond_ = Bond::single;
    last_ = added;
    return other == kNoAtom || bond == Bond::single || may_join(bond, other, added);
  }

  /// Whether a multiple bond certainly does not belong to a group that the Normalizer of RDKit changes.
  bool may_join(Bond bond, std::size_t one, std::size_t other) {
    const Element first = atoms_[one].element, second = atoms_[other].element;
    if (first == Element::carbon || second == Element::carbon) {
      return true;
    }
    if (bond == Bond::threefold) {
      return false;
    }
    if (first == Element::sulfur || second == Element::sulfur) {
      sulfonyl_.push_back(first == Element::sulfur ? one : other);
      return true;
    }
    return first == Element::other && second == Element::other;
  }

  bool close_ring() {
    if (last_ == kNoAtom) {
      return false;
    }
    ++atoms_[last_].neighbours;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Bond bond_ = Bond::single;
  std::size_t last_ = kNoAtom;  ///< the atom at which the next bond starts
  std::vector<Atom> atoms_;
  std::vector<std::size_t> branches_;
  std::vector<std::size_t> sulfonyl_;  ///< sulfur atoms that must have four neighbours
};

}  // namespace

bool is_plainly_standard(const std::string& smiles) { return Scan(smiles).is_plain(); }

}  // namespace molgauge::chem
