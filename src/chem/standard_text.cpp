// is_plainly_standard() of a SMILES: a scan for the parts that a rule may apply to.

#include <array>
#include <string_view>
#include <vector>

#include "chem/standard_form.h"

namespace headroom::chem {
namespace {

constexpr auto kNitroGroups =
    std::to_array<std::string_view>({"[N+](=O)[O-]", "[N+]([O-])=O", "O=[N+]([O-])", "[O-][N+](=O)"});
constexpr std::string_view kDigits = "0123456789";

/// Remembers which atom the next bond starts from, as a parser does.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  bool is_plain() {
    while (at_ < text_.size()) {
      if (!step()) {
        return false;
      }
    }
    return true;
  }

 private:
  bool step() {
    for (const std::string_view group : kNitroGroups) {
      if (text_.substr(at_, group.size()) == group) {
        at_ += group.size();
        return atom(/*is_carbon=*/false);
      }
    }
    const char letter = text_[at_];
    if (letter == '[') {
      return bracket();
    }
    ++at_;
    switch (letter) {
      case '(':
        branches_.push_back(last_is_carbon_);
        return true;
      case ')':
        if (branches_.empty()) {
          return false;
        }
        last_is_carbon_ = branches_.back();
        branches_.pop_back();
        return true;
      case '=':
      case '#':
        // The other end of a multiple bond that closes a ring is not known here.
        is_multiple_ = true;
        return at_ < text_.size() && text_[at_] != '%' && kDigits.find(text_[at_]) == std::string_view::npos;
      case '-':
      case '/':
      case '\\':
      case ':':
        return true;
      case '%':
        return true;
      case 'C':
        if (at_ < text_.size() && text_[at_] == 'l') {
          ++at_;
          return atom(false);
        }
        return atom(true);
      case 'B':
        at_ += at_ < text_.size() && text_[at_] == 'r' ? 1 : 0;
        return atom(false);
      case 'c':
        return atom(true);
      case 'N':
      case 'O':
      case 'P':
      case 'S':
      case 'F':
      case 'I':
      case 'b':
      case 'n':
      case 'o':
      case 'p':
      case 's':
        return atom(false);
      default:
        return kDigits.find(letter) != std::string_view::npos;
    }
  }

  /// A bracket of carbon, nitrogen, oxygen, sulfur or hydrogen without a charge, number or class.
  bool bracket() {
    const std::size_t end = text_.find(']', at_);
    if (end == std::string_view::npos) {
      return false;
    }
    std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    inner.remove_prefix(std::min(inner.find_first_not_of(kDigits), inner.size()));  // an isotope
    if (inner.empty() || std::string_view("CNOSHcnos").find(inner.front()) == std::string_view::npos) {
      return false;
    }
    const bool is_carbon = inner.front() == 'C' || inner.front() == 'c';
    return inner.substr(1).find_first_not_of("@H0123456789") == std::string_view::npos && atom(is_carbon);
  }

  bool atom(bool is_carbon) {
    const bool is_plain = !is_multiple_ || is_carbon || last_is_carbon_;
    is_multiple_ = false;
    last_is_carbon_ = is_carbon;
    return is_plain;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_multiple_ = false, last_is_carbon_ = true;
  std::vector<bool> branches_;
};

}  // namespace

bool is_plainly_standard(const std::string& smiles) { return Scan(smiles).is_plain(); }

}  // namespace headroom::chem
