#include <chrono>

#include <gtest/gtest.h>

#include "molecules/chem/identity.h"
#include "records.h"

namespace molgauge::chem {
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

TEST(Scaffold, DoesNotDependOnHydrogensInBrackets) {
  EXPECT_EQ(scaffold("C[Si](C)(C)O[CH]=[C]1[CH2][CH2][O][C]1=[O]"), scaffold("C[Si](C)(C)OC=C1CCOC1=O"));
  EXPECT_EQ(scaffold("C[N]=[C]1[CH2][CH2][CH]1C"), scaffold("CN=C1CCC1C"));
  EXPECT_EQ(scaffold("C[CH]1[CH2][NH][CH2]1"), scaffold("CC1CNC1"));
  EXPECT_EQ(scaffold("c1cc[nH]c1"), "c1cc[nH]c1");
}

TEST(Scaffold, RefusesWhatIsNoMolecule) { EXPECT_THROW(scaffold("C1CC"), InvalidMolecule); }

TEST(HeavyAtoms, MergedHydrogensDoNotCount) {
  EXPECT_EQ(atoms("CCO"), 3U);
  EXPECT_EQ(atoms("[H]OC"), 2U);
  EXPECT_EQ(atoms("[2H]OC"), 3U);
  EXPECT_THROW(atoms(""), InvalidMolecule);
}

/// Long side chains are shortened before the decomposition. The result stays the same, and the time falls to
/// a thousandth.
TEST(Scaffold, OfAMoleculeWithLongSideChainsIsTheSame) {
  for (const char* const smiles :
       {"c1ccccc1C%", "C1CCC1=C%", "C1CCC1=NC%", "c1ccn(C%)c1", "C1CC1(C%)C=O", "[C@H]1(C%)CCNC1",
        "C1CC1S(=O)(=O)C%", "c1ccccc1C(=O)C(C%)CCC1CCCC1", "c1ccccc1C(=C%)CC1CCCC1",
        "C1CC1N(C%)C(=O)c1ccccc1", "C%.c1ccccc1", "C%.O"}) {
    const auto with_chain = [&](std::size_t length) {
      std::string text = smiles;
      return text.replace(text.find('%'), 1, std::string(length, 'C'));
    };
    const Scaffold expected = scaffold_of(with_chain(20)), found = scaffold_of(with_chain(260));
    EXPECT_EQ(found.smiles, expected.smiles) << smiles;
    EXPECT_EQ(found.atoms, expected.atoms) << smiles;
  }
  EXPECT_EQ(scaffold_of("C1CC1" + std::string(300, 'C') + "C1CC1").atoms, 306U) << "a linker stays";
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(scaffold("c1ccccc1" + std::string(1993, 'C')), "c1ccccc1");
  EXPECT_EQ(scaffold(std::string(1999, 'C')), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(3));
}

}  // namespace
}  // namespace molgauge::chem
