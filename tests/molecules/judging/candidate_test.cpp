#include "molecules/judging/candidate.h"

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::domain {
namespace {

std::vector<Candidate> some_candidates() {
  Candidate readable;
  readable.smiles = "CCO";
  readable.scaffold = "c1ccccc1";
  readable.standardized = "CC";
  readable.match = {MatchKind::same_parent, 11};
  readable.equals_training = true;
  readable.score = 1.5F;
  readable.nearest[0] = {7, 0.25F};
  readable.tanimoto[0] = 0.5F;
  readable.nearest_count = 1;
  readable.place = {1, -2};
  readable.remarks = {"radical with 1 unpaired electron"};
  readable.foreign = {{1, 3}, {"Pt"}, {"C1CC1", "c1cc1"}, "big", "", "charged", false};
  Candidate unreadable;
  unreadable.unreadable = "no molecule";
  return {readable, unreadable};
}

TEST(Candidate, ComesBackFromItsBytes) {
  const auto candidates = some_candidates();
  const auto again = candidates_from(to_bytes(candidates));
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(again[0].smiles, "CCO");
  EXPECT_EQ(again[0].scaffold, "c1ccccc1");
  EXPECT_EQ(again[0].standardized, "CC");
  EXPECT_EQ(again[0].match.kind, MatchKind::same_parent);
  EXPECT_EQ(again[0].match.molecule, 11U);
  EXPECT_TRUE(again[0].equals_training);
  EXPECT_EQ(again[0].score, 1.5F);
  EXPECT_EQ(again[0].nearest[0].molecule, 7U);
  EXPECT_EQ(again[0].nearest[0].distance, 0.25F);
  EXPECT_EQ(again[0].tanimoto[0], 0.5F);
  EXPECT_EQ(again[0].nearest_count, 1U);
  EXPECT_EQ(again[0].place[1], -2);
  EXPECT_EQ(again[0].foreign.atoms, (std::vector<std::uint16_t>{1, 3}));
  EXPECT_EQ(again[0].foreign.rings, (std::vector<std::string>{"C1CC1", "c1cc1"}));
  EXPECT_EQ(again[0].foreign.charge, "charged");
  EXPECT_FALSE(again[0].foreign.scaffold_seen);
  EXPECT_EQ(again[0].remarks, candidates[0].remarks);
  EXPECT_EQ(again[1].unreadable, "no molecule");
}

TEST(Candidate, BytesThatAreCutOrGoOnAreRefused) {
  const std::string bytes = to_bytes(some_candidates());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(candidates_from(bytes.substr(0, size)), InputError) << size;
  }
  EXPECT_THROW(candidates_from(bytes + "x"), InputError);
}

}  // namespace
}  // namespace molgauge::domain
