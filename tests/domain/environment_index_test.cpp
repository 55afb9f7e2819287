#include "domain/environment_index.h"

#include <cmath>

#include <gtest/gtest.h>

#include "made_up_molecules.h"

namespace headroom::domain {
namespace {

using List = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

EnvironmentLists lists_of(const std::vector<List>& molecules) {
  EnvironmentLists lists;
  for (const List& molecule : molecules) {
    lists.append(molecule);
  }
  return lists;
}

TEST(Tanimoto, DividesTheSmallerCountsByTheLarger) {
  const EnvironmentLists lists = lists_of({{{1, 2}, {5, 1}}, {{1, 1}, {7, 3}}, {}});
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(0), lists.of(1)), 1.0 / 6);
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(0), lists.of(0)), 1);
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(0), lists.of(2)), 0);
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(2), lists.of(2)), 1);
}

TEST(EnvironmentIndex, GivesTheSimilaritiesThatItsHeaderDefines) {
  // All three reference molecules have environment 1; one each has 2, 3 and 4.
  const EnvironmentLists training = lists_of({{{1, 1}, {2, 1}}, {{1, 1}, {3, 1}}, {{1, 1}, {4, 1}}});
  const EnvironmentIndex index(training, {true, true, true}, 1);
  const EnvironmentLists query = lists_of({{{1, 1}, {2, 1}, {9, 2}}});
  std::vector<std::uint64_t> scratch;
  const EnvironmentScores scores = index.compare(query.of(0), scratch);
  const double all = 4, scale = std::log(all / 0.5);
  const double common = std::log(all / 3.5) / scale, rare = std::log(all / 1.5) / scale;
  EXPECT_NEAR(scores.tanimoto, 1 - 2.0 / 4, 1e-6);
  EXPECT_NEAR(scores.rarity, 1 - (common + rare) / (common + rare + 1), 1e-4);
  EXPECT_NEAR(scores.coverage, 1 - 2.0 / 3, 1e-6);
  EXPECT_EQ(scores.nearest_count, 3U);
  EXPECT_EQ(scores.nearest[0].molecule, 0U);
}

TEST(EnvironmentIndex, AgreesWithPairsOfMolecules) {
  std::mt19937 random(3);
  const Molecules training = made_up_molecules(200, random), queries = made_up_molecules(20, random);
  std::vector<bool> in_reference(200);
  for (std::size_t i = 0; i < 200; ++i) {
    in_reference[i] = i % 4 != 0;
  }
  const EnvironmentIndex index(training.environments, in_reference, 3);
  std::vector<std::uint64_t> scratch;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    double best = 0, best_of_all = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      const double own = tanimoto(queries.environments.of(q), training.environments.of(i));
      best_of_all = std::max(best_of_all, own);
      best = in_reference[i] ? std::max(best, own) : best;
    }
    const EnvironmentScores scores = index.compare(queries.environments.of(q), scratch);
    EXPECT_NEAR(scores.tanimoto, 1 - best, 1e-6);
    EXPECT_NEAR(scores.nearest[0].distance, 1 - best_of_all, 1e-6);
  }
}

TEST(EnvironmentIndex, LeavesAMoleculeOutOfItsOwnComparison) {
  const EnvironmentLists training = lists_of({{{1, 1}}, {{2, 1}}});
  const EnvironmentIndex index(training, {true, true}, 1);
  std::vector<std::uint64_t> scratch;
  EXPECT_EQ(index.compare(training.of(0), scratch).tanimoto, 0);
  EXPECT_EQ(index.compare(training.of(0), scratch, 0).tanimoto, 1);
}

}  // namespace
}  // namespace headroom::domain
