#include "models/domain/environment_index.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <span>

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

EnvironmentScores compare(const EnvironmentIndex& index, std::span<const Environment> environments,
                          std::size_t left_out = kNoMolecule) {
  const EnvironmentQuery query{environments, left_out};
  return index.compare(std::span(&query, 1)).front();
}

TEST(Tanimoto, DividesTheSmallerCountsByTheLarger) {
  const EnvironmentLists lists = lists_of({{{1, 2}, {5, 1}}, {{1, 1}, {7, 3}}, {}});
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(0), lists.of(1)), 1.0 / 6);
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(0), lists.of(0)), 1);
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(0), lists.of(2)), 0);
  EXPECT_DOUBLE_EQ(tanimoto(lists.of(2), lists.of(2)), 1);
}

TEST(EnvironmentIndex, GivesTheSimilaritiesThatItsHeaderDefines) {
  // All three reference molecules have environment 1. Environments 2, 3 and 4 each occur in one molecule.
  const EnvironmentLists training = lists_of({{{1, 1}, {2, 1}}, {{1, 1}, {3, 1}}, {{1, 1}, {4, 1}}});
  const EnvironmentIndex index(training, {true, true, true}, 1);
  const EnvironmentLists query = lists_of({{{1, 1}, {2, 1}, {9, 2}}});
  const EnvironmentScores scores = compare(index, query.of(0));
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
  for (std::size_t q = 0; q < queries.size(); ++q) {
    double best = 0, best_of_all = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      const double own = tanimoto(queries.environments.of(q), training.environments.of(i));
      best_of_all = std::max(best_of_all, own);
      best = in_reference[i] ? std::max(best, own) : best;
    }
    const EnvironmentScores scores = compare(index, queries.environments.of(q));
    EXPECT_NEAR(scores.tanimoto, 1 - best, 1e-6);
    EXPECT_NEAR(scores.nearest[0].distance, 1 - best_of_all, 1e-6);
  }
}

/// Computes the scores from their definitions in the header, pair by pair.
EnvironmentScores compared_one_by_one(const EnvironmentLists& training, const std::vector<bool>& in_reference,
                                      std::size_t k, std::span<const Environment> query) {
  std::map<std::uint32_t, double> weights;
  double reference = 0;
  for (std::size_t i = 0; i < training.size(); ++i) {
    reference += in_reference[i] ? 1 : 0;
    for (const Environment& own : training.of(i)) {
      weights[own.identifier] += in_reference[i] ? 1 : 0;
    }
  }
  const double full = std::log((reference + 1) / 0.5);
  for (auto& [identifier, with_it] : weights) {
    with_it = std::log((reference + 1) / (with_it + 0.5)) / full;
  }
  const auto weight = [&](std::uint32_t identifier) {
    return weights.contains(identifier) ? std::max(0.0, weights[identifier]) : 1.0;
  };
  EnvironmentScores scores;
  std::vector<double> rarities, coverages;
  for (std::size_t i = 0; i < training.size(); ++i) {
    if (!in_reference[i]) {
      continue;
    }
    double both = 0, either = 0, shared = 0;
    for (const Environment& own : query) {
      either += weight(own.identifier);
    }
    for (const Environment& other : training.of(i)) {
      const bool is_shared = std::any_of(query.begin(), query.end(), [&](const Environment& own) {
        return own.identifier == other.identifier;
      });
      both += is_shared ? weight(other.identifier) : 0;
      either += is_shared ? 0 : weight(other.identifier);
      shared += is_shared ? 1 : 0;
    }
    rarities.push_back(both / either);
    coverages.push_back(shared / static_cast<double>(query.size()));
    scores.tanimoto = std::min(scores.tanimoto, static_cast<float>(1 - tanimoto(query, training.of(i))));
  }
  const auto farness = [&](std::vector<double> similarities) {
    std::sort(similarities.begin(), similarities.end(), std::greater<>());
    return static_cast<float>(
        1 - std::accumulate(similarities.begin(), similarities.begin() + static_cast<long>(k), 0.0) /
                static_cast<double>(k));
  };
  scores.rarity = farness(rarities);
  scores.coverage = farness(coverages);
  return scores;
}

TEST(EnvironmentIndex, AgreesWithItsDefinitionsOverManyMolecules) {
  // The index compares molecules in blocks. The number of molecules is larger than a block and is not a
  // multiple of the block size.
  constexpr std::size_t kMolecules = 4999, kNearest = 5;
  std::mt19937 random(4);
  const Molecules training = made_up_molecules(kMolecules, random), queries = made_up_molecules(10, random);
  std::vector<bool> in_reference(kMolecules);
  for (std::size_t i = 0; i < kMolecules; ++i) {
    in_reference[i] = i % 3 != 0;
  }
  const EnvironmentIndex index(training.environments, in_reference, kNearest);
  std::vector<EnvironmentQuery> all;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    all.push_back({queries.environments.of(q)});
  }
  const std::vector<EnvironmentScores> together = index.compare(all);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto query = queries.environments.of(q);
    const EnvironmentScores& found = together[q];
    const EnvironmentScores defined =
        compared_one_by_one(training.environments, in_reference, kNearest, query);
    EXPECT_NEAR(found.tanimoto, defined.tanimoto, 1e-6);
    EXPECT_NEAR(found.rarity, defined.rarity, 1e-4);
    EXPECT_NEAR(found.coverage, defined.coverage, 1e-6);
    EXPECT_EQ(found.rarity, compare(index, query).rarity) << "the same alone and with others";
  }
}

TEST(EnvironmentIndex, LeavesAMoleculeOutOfItsOwnComparison) {
  const EnvironmentLists training = lists_of({{{1, 1}}, {{2, 1}}});
  const EnvironmentIndex index(training, {true, true}, 1);
  EXPECT_EQ(compare(index, training.of(0)).tanimoto, 0);
  EXPECT_EQ(compare(index, training.of(0), 0).tanimoto, 1);
}

}  // namespace
}  // namespace headroom::domain
