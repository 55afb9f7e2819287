#include "molecules/chem/rdkit_reader.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <fmt/format.h>

#include "molecules/chem/mol_block_counts.h"
#include "molecules/chem/query_features.h"
#include "molecules/chem/rdkit_call.h"

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

/// The reason why a text that is not a SMILES names a molecule and does not describe its structure: a name, a
/// CAS number or an InChIKey. Returns nothing for other texts.
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

void refuse_unreadable_text(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InvalidMolecule("empty");
  }
  if (text.size() > kLongestText) {
    throw InvalidMolecule("longer than " + std::to_string(kLongestText) + " characters");
  }
  if (text.find('\0') != std::string::npos) {  // RDKit ignores the text after a NUL byte
    throw InvalidMolecule("holds a NUL character: this is not text");
  }
}

/// Refuses bytes that are not printable ASCII, because RDKit would ignore the text after them. Does not check
/// text after a blank, because it is a name.
void refuse_foreign_bytes(const std::string& smiles) {
  const std::size_t start = smiles.find_first_not_of(" \t\r\n");
  const std::size_t end = std::min(smiles.find_first_of(" \t\r\n", start), smiles.size());
  for (std::size_t i = start; i < end; ++i) {
    if (const auto byte = static_cast<unsigned char>(smiles[i]); byte < ' ' || byte > '~') {
      throw InvalidMolecule(fmt::format(
          "byte {} (0x{:02X}) is not allowed in SMILES. Word processors insert such dashes and spaces", i + 1,
          byte));
    }
  }
}

/// Refuses text after a blank, such as "CC O", which RDKit would read as ethane with the name O. The readers
/// of formats with names have already removed the names. Only a CXSMILES extension may follow a blank.
void refuse_second_word(const std::string& smiles) {
  constexpr const char* kBlanks = " \t\r\n";
  constexpr std::size_t kShown = 40;
  const std::size_t start = smiles.find_first_not_of(kBlanks);
  const std::size_t blank = smiles.find_first_of(kBlanks, start);
  const std::size_t second = smiles.find_first_not_of(kBlanks, blank);
  if (blank == std::string::npos || second == std::string::npos) {
    return;
  }
  const std::size_t last = smiles.find_last_not_of(kBlanks);
  const bool is_extension = smiles[second] == '|';
  const std::size_t close = is_extension ? smiles.find('|', second + 1) : std::string::npos;
  const bool is_whole = close == std::string::npos ||
                        smiles.find_last_of('|') == last;  // RDKit refuses an extension that is not closed
  if (!is_extension || !is_whole) {
    if (const auto identifier = kind_of_identifier(smiles.substr(start, blank - start))) {
      throw InvalidMolecule(*identifier);
    }
    throw InvalidMolecule(
        shortened(fmt::format("contains a space: '{}' would be the SMILES and '{}' the name. Remove the "
                              "space, or put the name into its own column",
                              smiles.substr(start, std::min(blank - start, kShown)),
                              smiles.substr(second, std::min(last + 1 - second, kShown)))));
  }
}

/// Whether a SMILES consists only of atoms, bonds, branches and rings, without stereochemistry, name,
/// extension or query.
bool is_plain_smiles(std::string_view smiles) {
  return smiles.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789[]()+-=#.%") ==
         std::string_view::npos;
}

/// Sanitises a plain SMILES as RDKit does by default, but without the search for possible stereocentres. The
/// result is the same, because stereochemistry that the text does not specify stays unspecified. The search
/// ranks all neighbourhoods. Its time grows with the cube of the chain length.
void sanitise_without_stereo(RDKit::RWMol& molecule) {
  RDKit::MolOps::RemoveHsParameters hydrogens;
  hydrogens.updateExplicitCount = true;
  RDKit::MolOps::removeHs(molecule, hydrogens);
  constexpr bool clean = true, force = true, flag_possible_centres = false;
  RDKit::MolOps::assignStereochemistry(molecule, clean, force, flag_possible_centres);
}

/// Atom-map numbers say nothing about the molecule, but RDKit ranks atoms by them. Stereocentres may have
/// been kept only because of them.
void clear_atom_maps(RDKit::RWMol& molecule) {
  bool had_maps = false;
  for (RDKit::Atom* const atom : molecule.atoms()) {
    had_maps = had_maps || atom->getAtomMapNum() != 0;
    atom->setAtomMapNum(0);
  }
  if (had_maps) {
    constexpr bool clean = true, force = true;
    RDKit::MolOps::assignStereochemistry(molecule, clean, force);
  }
}

std::unique_ptr<RDKit::RWMol> call_rdkit(const MoleculeRecord& record, Preparation preparation) {
  const bool sanitise = preparation != Preparation::as_written;
  const bool remove_hydrogens = preparation == Preparation::sanitised;
  std::unique_ptr<RDKit::RWMol> molecule;
  if (record.format == RecordFormat::molblock) {
    molecule.reset(RDKit::MolBlockToMol(record.text, sanitise, remove_hydrogens));
  } else if (remove_hydrogens && is_plain_smiles(record.text)) {  // has no atom maps
    RDKit::SmilesParserParams parameters;
    parameters.sanitize = false;
    parameters.removeHs = false;
    molecule.reset(RDKit::SmilesToMol(record.text, parameters));
    if (molecule != nullptr) {
      sanitise_without_stereo(*molecule);
    }
    return molecule;
  } else {
    RDKit::SmilesParserParams parameters;
    parameters.sanitize = sanitise;
    parameters.removeHs = remove_hydrogens;
    molecule.reset(RDKit::SmilesToMol(record.text, parameters));
  }
  if (sanitise && molecule != nullptr) {
    clear_atom_maps(*molecule);
  }
  return molecule;
}

std::string reason_for_nothing(const MoleculeRecord& record) {
  if (record.format == RecordFormat::molblock) {
    return "not a mol block";
  }
  if (record.text.find("InChI=") != std::string::npos) {
    return "is an InChI. Convert it to a SMILES, for example with Chem.MolFromInchi of RDKit in Python";
  }
  if (std::count(record.text.begin(), record.text.end(), '>') == 2) {
    return "is a reaction. Give its molecules one by one";
  }
  if (const auto identifier = kind_of_identifier(record.text)) {
    return *identifier;
  }
  const std::string complaint = parser_complaint(record.text);
  return complaint.empty() ? "not a SMILES" : complaint;
}

/// A mol block marks a double bond of unknown configuration, which a SMILES cannot. Encoders must see the
/// same molecule in both.
void clear_unknown_configurations(RDKit::RWMol& molecule) {
  for (RDKit::Bond* const bond : molecule.bonds()) {
    if (bond->getStereo() == RDKit::Bond::STEREOANY) {
      bond->setStereo(RDKit::Bond::STEREONONE);
    }
  }
}

std::unique_ptr<RDKit::RWMol> parse(const MoleculeRecord& record, Preparation preparation) {
  auto molecule = with_rdkit([&] { return call_rdkit(record, preparation); });
  if (molecule == nullptr) {
    throw InvalidMolecule(shortened(reason_for_nothing(record)));
  }
  if (molecule->getNumAtoms() == 0) {
    throw InvalidMolecule("no atoms");
  }
  refuse_queries(record, *molecule);
  refuse_incomplete(*molecule);
  if (record.format == RecordFormat::molblock) {
    clear_unknown_configurations(*molecule);
  }
  return molecule;
}

/// Whether the record may have more than kMaxAtoms atoms. Each atom takes at least one character of a SMILES
/// or one line of a mol block. The atoms of short records therefore need not be counted.
bool may_exceed_most_tokens(const MoleculeRecord& record) {
  const auto& text = record.text;
  const auto bound = record.format == RecordFormat::molblock
                         ? static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'))
                         : text.size();
  return bound > kMaxAtoms;
}

constexpr std::string_view kOrganicSubset = "BCNOPSFIbcnops*";

/// The number of atoms in a SMILES: brackets, and letters of the organic subset.
std::size_t count_written_atoms(const MoleculeRecord& record) {
  if (record.format != RecordFormat::smiles) {
    return 0;  // a mol block of maximum length has lines for only some ten thousand atoms
  }
  std::size_t atoms = 0;
  bool in_bracket = false;
  for (const char letter : record.text) {
    if (letter == ' ' || letter == '\t') {
      break;
    }
    atoms += letter == '[' || (!in_bracket && kOrganicSubset.find(letter) != std::string_view::npos) ? 1 : 0;
    in_bracket = letter == '[' || (in_bracket && letter != ']');
  }
  return atoms;
}

void refuse_too_many_atoms(std::size_t atoms) {
  if (atoms > kMaxAtoms) {
    throw InvalidMolecule("more than " + std::to_string(kMaxAtoms) + " atoms (" + std::to_string(atoms) +
                          ")");
  }
}

/// RDKit's parser takes 600 bytes for each atom, which no memory plan includes. Texts with far too many atoms
/// are therefore not parsed. Texts with slightly too many atoms are parsed, because they may be invalid
/// SMILES. In this case, RDKit reports the reason.
void refuse_large_molecule(const MoleculeRecord& record) {
  constexpr std::size_t kMaxParsed = 4 * kMaxAtoms;
  if (const std::size_t atoms = count_written_atoms(record); atoms > kMaxParsed) {
    refuse_too_many_atoms(atoms);
  }
  refuse_too_many_atoms(parse(record, Preparation::as_written)->getNumAtoms());
}

}  // namespace

std::string shortened(std::string reason) {
  constexpr std::size_t kLongestReason = 300;
  if (reason.size() > kLongestReason) {
    reason.resize(kLongestReason);
    reason += "...";
  }
  return reason;
}

std::unique_ptr<RDKit::RWMol> parse_smiles(const std::string& smiles) {
  MoleculeRecord record;
  record.text = smiles;
  return call_rdkit(record, Preparation::sanitised);
}

std::unique_ptr<RDKit::RWMol> read_molecule(const MoleculeRecord& record, Preparation preparation) {
  prepare_rdkit();
  if (!record.unreadable.empty()) {
    throw InvalidMolecule(record.unreadable);
  }
  refuse_unreadable_text(record.text);
  if (record.format == RecordFormat::smiles) {
    refuse_foreign_bytes(record.text);
    refuse_second_word(record.text);
  } else if (const std::string problem = excessive_claim(record.text); !problem.empty()) {
    throw InvalidMolecule(problem);
  }
  if (may_exceed_most_tokens(record)) {
    refuse_large_molecule(record);
  }
  return parse(record, preparation);
}

}  // namespace molgauge::chem
