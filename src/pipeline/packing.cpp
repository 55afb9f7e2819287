#include "pipeline/packing.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace headroom::pipeline {
namespace {

/// An atom line of a mol block and its share of the bond lines, where the block does not say how many it has.
constexpr std::size_t kMolblockBytesPerAtom = 90;

/// The whole number at the beginning, blanks before it passed over; nothing where there is none.
std::optional<std::size_t> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() ? std::optional(number) : std::nullopt;
}

/// What a mol block says of itself: "M  V30 COUNTS atoms bonds ...", or the first six columns of its fourth
/// line. (CTfile formats, BIOVIA 2020.)
std::optional<memory::ItemSize> stated_size(std::string_view text) {
  constexpr std::string_view kCounts = "M  V30 COUNTS ";
  constexpr std::size_t kLineOfCounts = 4, kColumns = 3;
  std::optional<std::size_t> atoms, bonds;
  if (const std::size_t counts = text.find(kCounts); counts != std::string_view::npos) {
    std::string_view rest = text.substr(counts + kCounts.size());
    atoms = leading_number(rest);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    bonds = leading_number(rest.substr(std::min(rest.find(' '), rest.size())));
  } else {
    for (std::size_t line = 1; line < kLineOfCounts; ++line) {
      text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    atoms = leading_number(text.substr(0, kColumns));
    bonds = leading_number(text.substr(std::min(kColumns, text.size()), kColumns));
  }
  return atoms && bonds ? std::optional(memory::ItemSize{.atoms = *atoms, .edges = 2 * *bonds})
                        : std::nullopt;
}

memory::ItemSize size_of_molblock(std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (const auto stated = text.empty() ? std::nullopt : stated_size(text);
      stated && stated->atoms > 0 && stated->atoms <= lines && stated->edges <= 2 * lines) {
    return *stated;
  }
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

bool WindowCutter::fills(std::size_t atoms, std::size_t text_bytes) {
  atoms_ += atoms;
  text_bytes_ += text_bytes;
  if (atoms_ < kBatches * batch_atoms_ && text_bytes_ < kBatches * batch_atoms_ * kTextBytesPerAtom) {
    return false;
  }
  atoms_ = text_bytes_ = 0;
  return true;
}

}  // namespace headroom::pipeline
