#include "molecules/chem/identity.h"

#include <gtest/gtest.h>

#include "molecules/chem/perception.h"
#include "records.h"

namespace molgauge::chem {
namespace {

using test::canonical;
using test::smiles_record;

TEST(Identity, IsTheSameForAllSpellingsOfAMolecule) {
  EXPECT_EQ(canonical("OCC"), canonical("C(O)C"));
  EXPECT_EQ(canonical("C1=CC=CC=C1O"), canonical("Oc1ccccc1"));
  EXPECT_EQ(canonical("[H]OCC"), canonical("OCC"));
}

TEST(Identity, DiffersBetweenStereoisomersIsotopesAndCharges) {
  EXPECT_NE(canonical("C[C@H](N)O"), canonical("C[C@@H](N)O"));
  EXPECT_NE(canonical("F/C=C/F"), canonical("F/C=C\\F"));
  EXPECT_NE(canonical("[13CH4]"), canonical("C"));
  EXPECT_NE(canonical("CC(=O)O"), canonical("CC(=O)[O-]"));
}

TEST(Identity, AtomMapNumbersDoNotCount) {
  EXPECT_EQ(canonical("[CH3:1][OH:2]"), canonical("CO"));
  EXPECT_EQ(canonical("[CH3:3][C@H:1]([NH2:2])[OH:7]"), canonical("C[C@H](N)O"));
  EXPECT_EQ(canonical("[cH:1]1[cH:2]cccc1"), canonical("c1ccccc1"));
  const auto scaffold = identify(smiles_record("[cH:1]1[cH:2]cccc1[CH3:3]"), true).scaffold;
  EXPECT_EQ(scaffold.value().smiles, "c1ccccc1");
}

TEST(Identity, RelativeStereocentresAreLeftOpen) {
  EXPECT_EQ(canonical("C[C@H](N)O |&1:1|"), canonical("CC(N)O"));
  EXPECT_EQ(canonical("C[C@H](N)O |o1:1|"), canonical("CC(N)O"));
  EXPECT_NE(canonical("C[C@H](N)O |&1:1|"), canonical("C[C@H](N)O"));
  EXPECT_EQ(canonical("C[C@H](N)O |a:1|"), canonical("C[C@H](N)O"));
  EXPECT_EQ(canonical("C[C@H](N)C[C@H](F)O |&1:1|"), canonical("CC(N)C[C@H](F)O"));
}

TEST(Identity, CountsAtomsAndBonds) {
  const Identity salt = identify(smiles_record("[Na+].[Cl-]"), false);
  EXPECT_EQ(salt.atoms, 2U);
  EXPECT_EQ(salt.bonds, 0U);
  EXPECT_FALSE(salt.scaffold);
  const Identity toluene = identify(smiles_record("Cc1ccccc1"), true);
  EXPECT_EQ(toluene.bonds, 7U);
  ASSERT_TRUE(toluene.scaffold);
  EXPECT_EQ(toluene.scaffold->smiles, "c1ccccc1");
  EXPECT_EQ(toluene.scaffold->atoms, 6U);
}

TEST(Identity, RefusesWhatIsNoMolecule) {
  EXPECT_THROW(identify(smiles_record("C1CC"), true), InvalidMolecule);
}

}  // namespace
}  // namespace molgauge::chem
