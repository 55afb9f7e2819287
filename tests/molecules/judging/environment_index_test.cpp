#include "molecules/judging/environment_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <span>

#include <gtest/gtest.h>

#include "made_up_molecules.h"

namespace molgauge::domain {
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
                          const Exclusion& exclusion = {}, bool is_member = false) {
  const EnvironmentQuery query{environments, is_member, std::span(&exclusion, 1)};
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
  // All three training molecules have environment 1. Environments 2, 3 and 4 each occur in one molecule. The
  // query counts as a fourth molecule.
  const EnvironmentLists training = lists_of({{{1, 1}, {2, 1}}, {{1, 1}, {3, 1}}, {{1, 1}, {4, 1}}});
  const EnvironmentIndex index(training, 1);
  const EnvironmentLists query = lists_of({{{1, 1}, {2, 1}, {9, 2}}});
  const EnvironmentScores scores = compare(index, query.of(0));
  const auto weight = [](double molecules, double with_it) {
    return std::max(0.0, std::log((molecules + 1) / (with_it + 0.5)) / std::log((molecules + 1) / 0.5));
  };
  const double shared = weight(4, 4) + weight(4, 2);
  // The first training molecule has no other environments than the shared ones.
  const double either = shared + weight(4, 1);
  EXPECT_NEAR(scores.tanimoto, 1 - 2.0 / 4, 1e-6);
  EXPECT_NEAR(scores.rarity, 1 - shared / either, 1e-4);
  EXPECT_EQ(scores.rarity, scores.rarity_of_nearest);
  EXPECT_NEAR(scores.coverage, 1 - 2.0 / 3, 1e-6);
  EXPECT_NEAR(scores.coverage_of_two, 1 - (2.0 / 3 + 1.0 / 3) / 2, 1e-6);
  EXPECT_EQ(scores.nearest_count, 3U);
  EXPECT_EQ(scores.nearest[0].molecule, 0U);
}

/// Computes the scores of a training molecule from their definitions in the header, pair by pair.
EnvironmentScores compared_one_by_one(const EnvironmentLists& training, std::size_t k, std::size_t query,
                                      const std::vector<std::uint32_t>& labels) {
  std::map<std::uint32_t, double> weights;
  const auto molecules = static_cast<double>(training.size());
  for (std::size_t i = 0; i < training.size(); ++i) {
    for (const Environment& own : training.of(i)) {
      weights[own.identifier] += 1;
    }
  }
  for (auto& [identifier, weight] : weights) {
    weight = std::max(0.0, std::log((molecules + 1) / (weight + 0.5)) / std::log((molecules + 1) / 0.5));
  }
  EnvironmentScores scores;
  std::vector<double> rarities, coverages;
  const auto own_list = training.of(query);
  for (std::size_t i = 0; i < training.size(); ++i) {
    if (labels[i] == labels[query]) {
      continue;
    }
    double both = 0, either = 0, shared = 0;
    for (const Environment& own : own_list) {
      either += weights[own.identifier];
    }
    for (const Environment& other : training.of(i)) {
      const bool is_shared = std::any_of(own_list.begin(), own_list.end(), [&](const Environment& own) {
        return own.identifier == other.identifier;
      });
      both += is_shared ? weights[other.identifier] : 0;
      either += is_shared ? 0 : weights[other.identifier];
      shared += is_shared ? 1 : 0;
    }
    rarities.push_back(both / either);
    coverages.push_back(shared / static_cast<double>(own_list.size()));
    scores.tanimoto = std::min(scores.tanimoto, static_cast<float>(1 - tanimoto(own_list, training.of(i))));
  }
  const auto farness = [](std::vector<double> similarities, std::size_t count) {
    std::sort(similarities.begin(), similarities.end(), std::greater<>());
    return static_cast<float>(
        1 - std::accumulate(similarities.begin(), similarities.begin() + static_cast<long>(count), 0.0) /
                static_cast<double>(count));
  };
  scores.rarity = farness(rarities, k);
  scores.rarity_of_nearest = farness(rarities, 1);
  scores.coverage = farness(coverages, k);
  scores.coverage_of_two = farness(coverages, 2);
  return scores;
}

TEST(EnvironmentIndex, AgreesWithItsDefinitionsOverManyMolecules) {
  // The index compares molecules in blocks. The number of molecules is larger than a block and is not a
  // multiple of the block size.
  constexpr std::size_t kMolecules = 4999, kNearest = 5;
  std::mt19937 random(4);
  const Molecules training = made_up_molecules(kMolecules, random);
  const EnvironmentIndex index(training.environments, kNearest);
  std::vector<std::uint32_t> alone(kMolecules), groups(kMolecules);
  std::iota(alone.begin(), alone.end(), std::uint32_t{0});
  for (std::size_t i = 0; i < kMolecules; ++i) {
    groups[i] = static_cast<std::uint32_t>(i % 40);
  }
  std::vector<std::array<Exclusion, 2>> exclusions;
  std::vector<EnvironmentQuery> all;
  for (std::uint32_t q = 0; q < 10; ++q) {
    exclusions.push_back({Exclusion{alone, q}, Exclusion{groups, q}});
  }
  for (std::size_t q = 0; q < 10; ++q) {
    all.push_back({training.environments.of(q), true, exclusions[q]});
  }
  const std::vector<EnvironmentScores> together = index.compare(all);
  for (std::size_t q = 0; q < 10; ++q) {
    for (const std::size_t j : {0U, 1U}) {
      const EnvironmentScores& found = together[2 * q + j];
      const EnvironmentScores defined =
          compared_one_by_one(training.environments, kNearest, q, j == 0 ? alone : groups);
      EXPECT_NEAR(found.tanimoto, defined.tanimoto, 1e-6);
      EXPECT_NEAR(found.rarity, defined.rarity, 1e-4);
      EXPECT_NEAR(found.rarity_of_nearest, defined.rarity_of_nearest, 1e-4);
      EXPECT_NEAR(found.coverage, defined.coverage, 1e-6);
      EXPECT_NEAR(found.coverage_of_two, defined.coverage_of_two, 1e-6);
      EXPECT_EQ(found.rarity, compare(index, training.environments.of(q), exclusions[q][j], true).rarity)
          << "the same alone and with others";
    }
  }
}

TEST(EnvironmentIndex, LeavesAMoleculeOutOfItsOwnComparison) {
  const EnvironmentLists training = lists_of({{{1, 1}}, {{2, 1}}});
  const EnvironmentIndex index(training, 1);
  const std::vector<std::uint32_t> labels = {0, 1};
  EXPECT_EQ(compare(index, training.of(0)).tanimoto, 0);
  EXPECT_EQ(compare(index, training.of(0), {labels, 0}).tanimoto, 1);
}

}  // namespace
}  // namespace molgauge::domain
