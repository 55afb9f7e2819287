#include "molecules/chem/spellings.h"

#include <set>

#include <gtest/gtest.h>

#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"

namespace molgauge::chem {
namespace {

MoleculeRecord record_of(const std::string& smiles) {
  MoleculeRecord record;
  record.text = smiles;
  return record;
}

std::string canonical_of(const std::string& smiles) {
  return identify(record_of(smiles), /*with_scaffold=*/false).canonical_smiles;
}

TEST(Spellings, AreTheSameMolecule) {
  for (const char* const smiles : {"C[C@H](N)C(=O)O", "O=C(O)[C@@H]1CSC(=N1)c1ccc(/C=C/Cl)cc1.[Na+]",
                                   "CN1[C@H]2CC[C@@H]1[C@H]([C@H](C2)OC(=O)c1ccccc1)C(=O)OC",
                                   "C[C@@H]1CC[C@H](C)CC1", "C[S@](=O)CC", "[13CH3][C@H]([2H])O"}) {
    const std::vector<std::string> spellings = other_spellings(record_of(smiles), 20);
    ASSERT_EQ(spellings.size(), 20U) << smiles;
    for (const std::string& spelling : spellings) {
      EXPECT_EQ(canonical_of(spelling), canonical_of(smiles)) << spelling;
    }
    EXPECT_GT(std::set(spellings.begin(), spellings.end()).size(), 3U) << smiles;
    EXPECT_EQ(other_spellings(record_of(smiles), 20), spellings);
  }
}

TEST(Spellings, ChangeTheOrderOfTheAtoms) {
  Perception wanted;
  wanted.details = true;
  std::set<std::uint8_t> tags;
  for (const std::string& spelling : other_spellings(record_of("C[C@H](N)C(=O)O"), 20)) {
    for (const AtomDetails& atom : perceive(record_of(spelling), wanted).details) {
      tags.insert(atom.chirality);
    }
  }
  // Atoms that are not chiral have the tag 0. The stereocentre occurs with both chirality tags, 1 and 2.
  EXPECT_EQ(tags, (std::set<std::uint8_t>{0, 1, 2}));
}

TEST(Spellings, OfMoleculesWithoutChiralAtomsAreNotNeeded) {
  for (const char* const smiles : {"CCO", "F/C=C/F", "C[C@H](C)O", "[Na+].[Cl-]"}) {
    EXPECT_TRUE(other_spellings(record_of(smiles), 4).empty()) << smiles;
  }
  EXPECT_THROW(other_spellings(record_of("C[C@H(N"), 4), InvalidMolecule);
}

}  // namespace
}  // namespace molgauge::chem
