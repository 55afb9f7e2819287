#include "models/domain/known_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::domain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

chem::Description described(const std::string& smiles) {
  chem::MoleculeRecord record;
  record.text = smiles;
  return chem::describe(record);
}

KnownParts known_from(const std::vector<std::string>& smiles) {
  KnownParts known;
  EnvironmentLists environments;
  for (const std::string& text : smiles) {
    const chem::Description description = described(text);
    known.add(description);
    environments.append(description.environments);
  }
  known.add_environments(environments);
  return known;
}

TEST(KnownParts, OfATrainingMoleculeNothingIsForeign) {
  const KnownParts known = known_from({"c1ccccc1CCO", "CC(=O)O"});
  const ForeignParts foreign = known.foreign(described("OCCc1ccccc1"));
  EXPECT_TRUE(foreign.none());
  EXPECT_TRUE(foreign.scaffold_seen);
}

TEST(KnownParts, NameElementsRingsAndRangesThatAreNew) {
  const KnownParts known = known_from({"c1ccccc1CCO", "CC(=O)O"});
  const ForeignParts foreign = known.foreign(described("[NH3+]CCC1CC1Br"));
  EXPECT_THAT(foreign.elements, ElementsAre("N", "Br"));
  EXPECT_THAT(foreign.rings, ElementsAre("C1CC1"));
  EXPECT_THAT(foreign.charge, HasSubstr("charge 1 (training: 0 to 0)"));
  EXPECT_THAT(foreign.size, IsEmpty());
  EXPECT_FALSE(foreign.scaffold_seen);
  EXPECT_THAT(known.foreign(described("CCCCCCCCCCCC")).size, HasSubstr("12 heavy atoms (training: 4 to 9)"));
  EXPECT_THAT(known.foreign(described("CCCCCCCCCCCC")).log_p, HasSubstr("logP"));
}

TEST(KnownParts, MarkTheAtomsWhoseSurroundingsAreNew) {
  // Chlorine and the atoms within two bonds of it are new. The far end of the chain is known.
  const KnownParts known = known_from({"CCCCCCCCCC"});
  const ForeignParts foreign = known.foreign(described("CCCCCCCCCCl"));
  EXPECT_THAT(foreign.atoms, ElementsAre(7, 8, 9));
}

TEST(Description, NamesRingsAlikeHoweverTheyAreWritten) {
  EXPECT_EQ(described("c1ccncc1").rings, described("n1ccccc1C").rings);
  EXPECT_THAT(described("C1CC=CCC1c1ccccc1").rings, testing::UnorderedElementsAre("C1=CCCCC1", "c1ccccc1"));
  EXPECT_THAT(described("c1ccc2ccccc2c1").rings, ElementsAre("c1ccccc1"));
}

TEST(Description, HasEnvironmentsAroundEveryAtom) {
  const chem::Description description = described("CC(=O)[O-]");
  EXPECT_EQ(description.around_atoms.size(), 4U);
  for (const auto& around : description.around_atoms) {
    EXPECT_FALSE(around.empty());
  }
  EXPECT_EQ(description.charge, -1);
  EXPECT_EQ(description.heavy_atoms, 4U);
  EXPECT_EQ(description.canonical_smiles, "CC(=O)[O-]");
  EXPECT_THAT(description.elements, ElementsAre(6, 8));
}

}  // namespace
}  // namespace headroom::domain
