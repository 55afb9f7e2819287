#include "molecules/judging/training_match.h"

#include <string>

#include <gtest/gtest.h>

#include "molecules/judging/training_set.h"

namespace molgauge::domain {
namespace {

chem::Description described(const std::string& smiles, Standardize mode) {
  chem::MoleculeRecord record;
  record.text = smiles;
  return chem::describe(record, mode);
}

TrainingNotes training(const std::vector<std::string>& molecules, Standardize mode) {
  TrainingNotes notes;
  for (const std::string& smiles : molecules) {
    const chem::Description description = described(smiles, mode);
    notes.canonical_smiles.push_back(description.canonical_smiles);
    notes.keys.push_back(form_keys(description));
  }
  return notes;
}

std::string match(const TrainingNotes& notes, const std::string& smiles, Standardize mode) {
  const TrainingMatch found = TrainingMatcher(notes).find(described(smiles, mode));
  return to_string(found.kind) + (found.kind == MatchKind::none ? "" : " " + std::to_string(found.molecule)) +
         (found.is_same() ? " =" : "");
}

TEST(TrainingMatch, TellsDrawingsAndStereoisomersApart) {
  constexpr auto kParent = Standardize::parent;
  const TrainingNotes notes =
      training({"CC(=O)Oc1ccccc1C(=O)O", "C[C@H](F)CN", "CC(Cl)CO", "F/C=C/F", "Oc1ccccn1"}, kParent);
  EXPECT_EQ(match(notes, "OC(=O)c1ccccc1OC(C)=O", kParent), "same 0 =") << "another spelling";
  EXPECT_EQ(match(notes, "[Na+].CC(=O)Oc1ccccc1C(=O)[O-]", kParent), "same parent 0 =");
  EXPECT_EQ(match(notes, "[CH3:1][C@H:2](F)CN", kParent), "same 1 =") << "atom-map numbers";
  EXPECT_EQ(match(notes, "C[C@H](F)C[NH3+].[Cl-]", kParent), "same parent 1 =");
  EXPECT_EQ(match(notes, "C[C@@H](F)CN", kParent), "stereoisomer 1");
  EXPECT_EQ(match(notes, "C[C@@H](F)C[NH3+].[Cl-]", kParent), "stereoisomer 1");
  EXPECT_EQ(match(notes, "CC(F)CN", kParent), "stereoisomer 1") << "drawn without stereochemistry";
  EXPECT_EQ(match(notes, "C[C@H](F)CN |&1:1|", kParent), "stereoisomer 1") << "a racemate";
  EXPECT_EQ(match(notes, "C[C@H](Cl)CO", kParent), "stereoisomer 2");
  EXPECT_EQ(match(notes, "F/C=C\\F", kParent), "stereoisomer 3");
  EXPECT_EQ(match(notes, "O=c1cccc[nH]1", kParent), "") << "tautomers are different molecules here";
  EXPECT_EQ(match(notes, "CCO", kParent), "");
  EXPECT_EQ(match(notes, "[2H]C([2H])([2H])C(=O)Oc1ccccc1C(=O)O", kParent), "same parent 0 =") << "a CD3";
  EXPECT_EQ(match(notes, "[13CH3][C@H](F)CN", kParent), "same parent 1 =");
}

TEST(TrainingMatch, AMixtureMatchesOnlyTheSameMixture) {
  const TrainingNotes notes = training(
      {"CCN(CC)CCNC(=O)c1ccc(N)cc1", "CC(=O)Oc1ccccc1C(=O)O", "CCN(CC)CCNC(=O)c1ccc(N)cc1.Cc1ccc(C)cc1"},
      Standardize::parent);
  EXPECT_EQ(match(notes, "CCN(CC)CCNC(=O)c1ccc(N)cc1.CC(=O)Oc1ccccc1C(=O)O", Standardize::parent), "");
  EXPECT_EQ(match(notes, "Cc1ccc(C)cc1.CCN(CC)CCNC(=O)c1ccc(N)cc1.Cl", Standardize::parent),
            "same parent 2 =");
}

TEST(TrainingMatch, TautomersMatchWithoutStereochemistry) {
  const TrainingNotes notes = training({"C=C(C)[C@@H]1CC[C@@]2(C)CCC(=O)C(C)=C2C1"}, Standardize::tautomer);
  EXPECT_EQ(match(notes, "C=C(C)C1CCC2(C)CCC(=O)C(C)=C2C1", Standardize::tautomer), "stereoisomer 0");
}

TEST(TrainingMatch, KnowsTautomersInTheirMode) {
  constexpr auto kTautomer = Standardize::tautomer;
  const TrainingNotes notes = training({"Oc1ccccn1", "CC(=O)Oc1ccccc1C(=O)O"}, kTautomer);
  EXPECT_EQ(match(notes, "Oc1ccccn1", kTautomer), "same 0 =");
  EXPECT_EQ(match(notes, "[Na+].[O-]c1ccccn1", kTautomer), "same parent 0 =");
  EXPECT_EQ(match(notes, "O=c1cccc[nH]1", kTautomer), "tautomer 0 =");
  EXPECT_EQ(match(notes, "[Na+].CC(=O)Oc1ccccc1C(=O)[O-]", kTautomer), "same parent 1 =");
}

TEST(TrainingMatch, WithoutStandardisationOnlyTheDrawingCounts) {
  constexpr auto kNone = Standardize::none;
  const TrainingNotes notes = training({"CC(=O)O", "C[C@H](F)O"}, kNone);
  EXPECT_EQ(match(notes, "OC(C)=O", kNone), "same 0 =");
  EXPECT_EQ(match(notes, "CC(=O)[O-]", kNone), "");
  EXPECT_EQ(match(notes, "C[C@@H](F)O", kNone), "stereoisomer 1");
}

}  // namespace
}  // namespace molgauge::domain
