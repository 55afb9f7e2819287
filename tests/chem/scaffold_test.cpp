#include <gtest/gtest.h>

#include "chem/identity.h"
#include "records.h"

namespace headroom::chem {
namespace {

using test::smiles_record;

Scaffold scaffold_of(const std::string& smiles) {
  return identify(smiles_record(smiles), /*with_scaffold=*/true).scaffold.value();
}
std::string scaffold(const std::string& smiles) { return scaffold_of(smiles).smiles; }
std::size_t atoms(const std::string& smiles) { return identify(smiles_record(smiles), false).atoms; }

TEST(Scaffold, KeepsRingsAndLinks) {
  EXPECT_EQ(scaffold("Cc1ccccc1"), "c1ccccc1");
  EXPECT_EQ(scaffold("Cc1cc(Oc2nccc(CCC)c2)ccc1"), "c1ccc(Oc2ccccn2)cc1");
  EXPECT_EQ(scaffold_of("Cc1cc(Oc2nccc(CCC)c2)ccc1").atoms, 13U);
}

TEST(Scaffold, KeepsWhatIsDoublyBonded) { EXPECT_EQ(scaffold("CC1CCCC(=O)C1"), "O=C1CCCCC1"); }

TEST(Scaffold, AcyclicMoleculesHaveNone) {
  EXPECT_EQ(scaffold("CCO"), "");
  EXPECT_EQ(scaffold_of("CCO").atoms, 0U);
}

TEST(Scaffold, HasNoChirality) {
  EXPECT_EQ(scaffold("C[C@H]1CC[C@@H](O)C1"), scaffold("CC1CCC(O)C1"));
  EXPECT_EQ(scaffold("O[C@@H]1C[C@H]2CC[C@@H]1C2"), scaffold("OC1CC2CCC1C2"));
}

TEST(Scaffold, RefusesWhatIsNoMolecule) { EXPECT_THROW(scaffold("C1CC"), InvalidMolecule); }

TEST(HeavyAtoms, MergedHydrogensDoNotCount) {
  EXPECT_EQ(atoms("CCO"), 3U);
  EXPECT_EQ(atoms("[H]OC"), 2U);
  EXPECT_EQ(atoms("[2H]OC"), 3U);
  EXPECT_THROW(atoms(""), InvalidMolecule);
}

}  // namespace
}  // namespace headroom::chem
