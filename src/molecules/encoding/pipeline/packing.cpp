#include "molecules/encoding/pipeline/packing.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "molecules/chem/perception.h"

namespace molgauge::pipeline {
namespace {

/// Bytes of the line of an atom in a mol block, and of the lines of its bonds. Used if the block does not
/// contain counts.
constexpr std::size_t kMolblockBytesPerAtom = 90;

/// Returns the integer at the beginning, after leading blanks, or nothing.
std::optional<std::size_t> leading_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() ? std::optional(number) : std::nullopt;
}

/// The position of `words` in a text. Ignores case.
std::size_t find_in_any_case(std::string_view text, std::string_view words) {
  const auto same = [](char one, char other) {
    return std::toupper(static_cast<unsigned char>(one)) == std::toupper(static_cast<unsigned char>(other));
  };
  const auto found = std::search(text.begin(), text.end(), words.begin(), words.end(), same);
  return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

/// Returns the numbers of atoms and bonds that a mol block states. They are in the line "M  V30 COUNTS atoms
/// bonds ...", or in the first six columns of the fourth line. (CTfile formats, BIOVIA 2020.)
std::optional<encoders::MoleculeSize> stated_size(std::string_view text) {
  constexpr std::string_view kCounts = "M  V30 COUNTS ";
  constexpr std::size_t kLineOfCounts = 4, kColumns = 3;
  std::optional<std::size_t> atoms, bonds;
  if (const std::size_t counts = find_in_any_case(text, kCounts); counts != std::string_view::npos) {
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
  return atoms && bonds ? std::optional(encoders::MoleculeSize{.atoms = *atoms, .edges = 2 * *bonds})
                        : std::nullopt;
}

encoders::MoleculeSize size_of_molblock(std::string_view text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (const auto stated = text.empty() ? std::nullopt : stated_size(text);
      stated && stated->atoms > 0 && stated->atoms <= lines && stated->edges <= 2 * lines) {
    return *stated;
  }
  const std::size_t atoms = text.size() / kMolblockBytesPerAtom + 1;
  return {.atoms = atoms, .edges = 2 * atoms};
}

/// Counts the atoms, fragments and ring closures of a SMILES. The text may be invalid.
class SmilesCount {
 public:
  explicit SmilesCount(std::string_view text) : text_(text) {
    text_.remove_prefix(std::min(text_.find_first_not_of(kBlanks), text_.size()));
    const std::size_t end = text_.find_first_of(kBlanks);
    has_extension_ = end != std::string_view::npos;
    text_ = text_.substr(0, end);
    while (place_ < text_.size()) {
      take();
    }
  }

  encoders::MoleculeSize size() const {
    const std::size_t atoms = std::max<std::size_t>(1, written_ - merged_);
    const std::size_t bonds = atoms + ring_ends_ / 2 - std::min(atoms, pieces_);
    return {.atoms = atoms, .edges = 2 * bonds};
  }
  /// The number of atoms in the text, including hydrogens that RDKit merges into their neighbours.
  std::size_t written_atoms() const { return written_; }

 private:
  /// Kinds of atoms. RDKit does not merge a hydrogen into a neighbour that is a `keeper`: a dummy, or an atom
  /// with stereochemistry that is not tetrahedral.
  enum class Kind : char { none, heavy, hydrogen, keeper };

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
  static bool is_element(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  void take() {
    const char c = text_[place_++];
    if (c == '[') {
      take_bracket();
    } else if (c == '%') {
      ++ring_ends_;
      place_ = at(place_) == '(' ? after(')') : place_ + 2;
    } else if (is_digit(c)) {
      ++ring_ends_;
    } else if (c == '.') {
      ++pieces_;
      last_ = Kind::none;
    } else if (c == '(') {
      branches_.push_back(last_);
    } else if (c == ')' && !branches_.empty()) {
      last_ = branches_.back();
      branches_.pop_back();
    } else if ((c == 'C' && at(place_) == 'l') || (c == 'B' && at(place_) == 'r')) {
      add(Kind::heavy);
      ++place_;
    } else if (kOrganicSubset.find(c) != std::string_view::npos) {
      add(c == '*' ? Kind::keeper : Kind::heavy);
    }
  }

  void add(Kind kind) {
    ++written_;
    last_ = kind;
  }

  /// Returns the position after the next `c`.
  std::size_t after(char c) const { return std::min(text_.find(c, place_), text_.size() - 1) + 1; }

  /// Returns the kind of an atom in brackets (isotope, element, charge, ...). `place`: position after the
  /// opening bracket.
  Kind kind_of_bracket(std::size_t place) const {
    while (is_digit(at(place))) {
      ++place;
    }
    if (!is_element(at(place))) {
      return Kind::keeper;  // a dummy, or an atomic number, which may be 1 (hydrogen)
    }
    if (at(place) == 'H' && !is_lower(at(place + 1))) {
      return Kind::hydrogen;
    }
    const std::string_view bracket = text_.substr(place, text_.find(']', place) - place);
    const std::size_t shape = bracket.find_first_of("AOST", bracket.find('@'));  // @AL, @OH, @SP, @TB, @TH
    return shape == std::string_view::npos ? Kind::heavy : Kind::keeper;
  }

  void take_bracket() {
    const std::size_t begin = place_ - 1;
    const Kind kind = kind_of_bracket(place_);
    place_ = after(']');
    merged_ += kind == Kind::hydrogen && is_merged(begin) ? 1 : 0;
    add(kind);
  }

  /// Whether removeHs() of RDKit certainly merges the hydrogen between `begin` and place_ into its neighbour.
  /// Encoders then do not see it as an atom. RDKit does so if the hydrogen is written "[H]" and has a single
  /// neighbour, which is of the kind `heavy`. The bond must have no direction. In doubt, a hydrogen counts as
  /// an atom, because a plan must not be too small.
  bool is_merged(std::size_t begin) const {
    if (has_extension_ || text_.substr(begin, place_ - begin) != "[H]") {
      return false;
    }
    const char before = begin > 0 ? text_[begin - 1] : '.', behind = at(place_);
    if (last_ == Kind::none) {
      const bool begins = before == '.';
      return begins &&
             (behind == '[' ? kind_of_bracket(place_ + 1) == Kind::heavy
                            : behind != '*' && kOrganicSubset.find(behind) != std::string_view::npos);
    }
    const bool ends = behind == '\0' || behind == ')' || behind == '.';
    return ends && last_ == Kind::heavy && before != '/' && before != '\\';
  }

  static constexpr std::string_view kOrganicSubset = "BCNOPSFIbcnops*", kBlanks = " \t\r\n";

  std::string_view text_;
  bool has_extension_ = false;  ///< the text has an extension or a name
  std::size_t place_ = 0, written_ = 0, merged_ = 0, ring_ends_ = 0, pieces_ = 1;
  Kind last_ = Kind::none;      ///< the atom to which the next atom is bound
  std::vector<Kind> branches_;  ///< the atoms at which the open branches begin
};

}  // namespace

encoders::MoleculeSize estimate_size(const chem::MoleculeRecord& record) {
  return record.format == chem::RecordFormat::molblock ? size_of_molblock(record.text)
                                                       : SmilesCount(record.text).size();
}

bool will_be_refused(const chem::MoleculeRecord& record) {
  if (!record.unreadable.empty() || record.text.size() > chem::kLongestText) {
    return true;
  }
  const bool is_block = record.format == chem::RecordFormat::molblock;
  const std::size_t atoms =
      is_block ? size_of_molblock(record.text).atoms : SmilesCount(record.text).written_atoms();
  return atoms > chem::kMaxAtoms;
}

bool WindowCutter::fills(std::size_t tokens, std::size_t text_bytes) {
  tokens_ += tokens;
  text_bytes_ += text_bytes;
  if (tokens_ < kBatches * batch_tokens_ && text_bytes_ < kBatches * batch_tokens_ * kTextBytesPerToken) {
    return false;
  }
  tokens_ = text_bytes_ = 0;
  return true;
}

}  // namespace molgauge::pipeline
