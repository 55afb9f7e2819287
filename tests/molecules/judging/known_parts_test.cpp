#include "molecules/judging/known_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::domain {
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

TEST(KnownParts, MarkTheAtomsWithNewNeighbours) {
  // Chlorine and its neighbour are new. The atoms that are two bonds away have known neighbours.
  const KnownParts known = known_from({"CCCCCCCCCC"});
  const ForeignParts foreign = known.foreign(described("CCCCCCCCCCl"));
  EXPECT_THAT(foreign.atoms, ElementsAre(8, 9));
}

TEST(KnownParts, TheAtomsOfAPairShareTheirEnvironment) {
  EXPECT_THAT(known_from({"CCO"}).foreign(described("CO")).atoms, ElementsAre(0, 1));
  EXPECT_THAT(known_from({"OC"}).foreign(described("CO")).atoms, IsEmpty());
  EXPECT_THAT(known_from({"CCO"}).foreign(described("C")).atoms, IsEmpty()) << "an atom without neighbours";
}

TEST(KnownParts, NumberTheAtomsOfTheDrawing) {
  // The counter-ion and the deuterium have the numbers 0 and 1.
  chem::MoleculeRecord record;
  record.text = "Cl.[2H]CCCCCl";
  const KnownParts known = known_from({"CCCCO"});
  EXPECT_THAT(known.foreign(chem::describe(record, Standardize::parent)).atoms, ElementsAre(5, 6));
}

TEST(Description, NamesRingsAlikeHoweverTheyAreWritten) {
  EXPECT_EQ(described("c1ccncc1").rings, described("n1ccccc1C").rings);
  EXPECT_THAT(described("C1CC=CCC1c1ccccc1").rings, testing::UnorderedElementsAre("C1=CCCCC1", "c1ccccc1"));
  EXPECT_THAT(described("c1ccc2ccccc2c1").rings, ElementsAre("c1ccccc1"));
}

TEST(Description, HasAnEnvironmentOfEveryAtom) {
  const chem::Description description = described("CC(=O)[O-]");
  EXPECT_EQ(description.atom_environments.size(), 4U);
  EXPECT_EQ(description.charge, -1);
  EXPECT_EQ(description.heavy_atoms, 4U);
  EXPECT_EQ(description.canonical_smiles, "CC(=O)[O-]");
  EXPECT_THAT(description.elements, ElementsAre(6, 8));
}

}  // namespace
}  // namespace molgauge::domain
