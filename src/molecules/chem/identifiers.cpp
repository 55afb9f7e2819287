#include "molecules/chem/identifiers.h"

#include <cctype>
#include <regex>

namespace molgauge::chem {
namespace {

constexpr const char* kElementLetters = "BCNOPSFIH";

/// Whether a text contains a word such as "ethanol" or "ASPIRIN". Elements in brackets, Cl and Br do not
/// belong to words. Lower-case letters of a SMILES outside of brackets are b, c, n, o, p and s.
bool contains_word(const std::string& text) {
  static const std::regex elements("\\[[^\\]]*\\]|Cl|Br"), words("[a-z]*[ad-mqrt-z][a-z]*|[A-Z]{4,}");
  constexpr int kShortest = 3;
  const std::string letters = std::regex_replace(text, elements, ".");
  for (std::sregex_iterator word(letters.begin(), letters.end(), words), end; word != end; ++word) {
    const std::string found = word->str();
    const bool is_lower = std::islower(static_cast<unsigned char>(found.front())) != 0;
    if (is_lower ? word->length() >= kShortest
                 : found.find_first_not_of(kElementLetters) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> kind_of_identifier(const std::string& text) {
  constexpr std::size_t kLongestName = 200;
  static const std::regex cas("\\d{2,7}-\\d{2}-\\d"), inchi_key("[A-Z]{14}-[A-Z]{10}-[A-Z]");
  if (text.size() > kLongestName) {
    return std::nullopt;
  }
  if (std::regex_match(text, cas)) {
    return "is a CAS number. Molgauge reads structures. PubChem can translate CAS numbers";
  }
  if (std::regex_match(text, inchi_key)) {
    return "is an InChIKey, which contains no structure. PubChem can find its SMILES";
  }
  if (contains_word(text)) {
    return "looks like a name, not a SMILES. PubChem or OPSIN can translate names";
  }
  return std::nullopt;
}

}  // namespace molgauge::chem
