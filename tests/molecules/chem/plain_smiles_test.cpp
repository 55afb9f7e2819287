#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "records.h"

namespace molgauge::chem {
namespace {

/// Returns all properties of a record, or the reason why it is invalid.
std::string described(const std::string& text) {
  const MoleculeRecord record = test::smiles_record(text);
  std::string description = test::refusal(record);
  if (!description.empty()) {
    return description;
  }
  const Molecule molecule = perceive(record, {.graph = true, .morgan = true});
  for (const Atom& atom : molecule.atoms) {
    for (const int number : {int{atom.atomic_number}, int{atom.formal_charge}, int{atom.radical_electrons},
                             int{atom.total_degree}, int{atom.total_valence}, int{atom.aromatic},
                             int{atom.in_ring}, static_cast<int>(atom.text_index)}) {
      description += std::to_string(number) + ",";
    }
  }
  for (const Bond& bond : molecule.bonds) {
    for (const int number : {static_cast<int>(bond.begin), static_cast<int>(bond.end),
                             static_cast<int>(bond.type), static_cast<int>(bond.stereo), int{bond.in_ring}}) {
      description += std::to_string(number) + ";";
    }
  }
  for (const auto& [index, count] : molecule.morgan) {
    description += std::to_string(index) + ":" + std::to_string(count) + " ";
  }
  return description;
}

/// For a SMILES without stereochemistry, name and extension, Molgauge skips RDKit's search for possible
/// stereocentres. The result must equal the result with RDKit's default settings.
TEST(PlainSmiles, AreReadAsRdkitReadsThemByDefault) {
  const std::vector<std::string> texts = {"C",
                                          "CCO",
                                          "CC(=O)Oc1ccccc1C(=O)O",
                                          "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
                                          "CC(F)C(Cl)Br",
                                          "FC=CC=CCl",
                                          "C1CC(O)CCC1N",
                                          "OC1CC(N)C1",
                                          "[H]OC([H])([H])[2H]",
                                          "[H][H]",
                                          "[Na+].[Cl-].[O-]S(=O)(=O)[O-]",
                                          "C[N+](C)(C)CC(=O)[O-]",
                                          "CP(=O)(O)N=[N+]=[N-]",
                                          "c1ccc2c(c1)[nH]c1ccccc12",
                                          "C12C3C4C1C5C2C3C45",
                                          "[Fe+2].[CH-]1C=CC=C1.[CH-]1C=CC=C1",
                                          "N[Pt](N)(Cl)Cl",
                                          "C%10CCCCC%10",
                                          "O=C(O)CC(O)(CC(=O)O)C(=O)O",
                                          "CC(C)CC(N)C(=O)NC(C)C(=O)NCC(=O)O",
                                          "c1cccc1",
                                          "C(C)(C)(C)(C)C",
                                          "C1CC",
                                          "CC(",
                                          "xyz",
                                          "[Zz]",
                                          "C=1CC#1",
                                          "c1ccccc1c",
                                          "CO(C)C"};
  for (const std::string& text : texts) {
    const std::string plain = described(text);
    // Because of an empty extension, Molgauge reads the SMILES with RDKit's default settings.
    const std::string nothing = " |$$|";
    std::string by_default = described(text + nothing);
    // The error message of RDKit contains the given text.
    const std::size_t complaint = by_default.find(text + nothing);
    if (complaint != std::string::npos) {
      by_default.erase(complaint + text.size(), nothing.size());
    }
    EXPECT_EQ(plain, by_default) << text;
  }
}

}  // namespace
}  // namespace molgauge::chem
