#include "chem/identity.h"

#include <gtest/gtest.h>

#include "chem/perception.h"
#include "records.h"

namespace headroom::chem {
namespace {

using test::smiles_record;

std::string canonical(const std::string& smiles) {
  return identify(smiles_record(smiles), false).canonical_smiles;
}

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
}  // namespace headroom::chem
