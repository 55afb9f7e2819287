#include "molecules/datasets/library_benchmark.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "molecules/datasets/split_cache.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::vector<chem::MoleculeRecord> records(const std::vector<std::string>& smiles, const std::string& file) {
  std::vector<chem::MoleculeRecord> all;
  for (const std::string& text : smiles) {
    chem::MoleculeRecord record;
    record.text = text;
    record.row = all.size();
    record.line = all.size() + 1;
    record.file = file;
    all.push_back(std::move(record));
  }
  return all;
}

/// Alcohols of increasing length, and rings with a chain. No molecule is in both groups.
std::vector<std::string> alcohols(std::size_t count) {
  std::vector<std::string> smiles;
  for (std::size_t i = 0; i < count; ++i) {
    smiles.push_back(std::string(i + 2, 'C') + "O");
  }
  return smiles;
}

std::vector<std::string> rings(std::size_t count) {
  std::vector<std::string> smiles;
  for (std::size_t i = 0; i < count; ++i) {
    smiles.push_back("c1ccncc1S" + std::string(i, 'S') + "c1ccccc1");
  }
  return smiles;
}

std::multiset<std::string> all_of(const LibraryBenchmark& made, std::size_t first) {
  std::multiset<std::string> all;
  for (std::size_t side = first; side < made.sides.size(); side += 2) {
    all.insert(made.sides[side].begin(), made.sides[side].end());
  }
  return all;
}

LibraryBenchmark make(const std::vector<std::string>& own, const std::vector<std::string>& background,
                      const LibraryBenchmarkOptions& options = {.quiet = true}) {
  return make_own_benchmark(records(own, "own.smi"), records(background, "others.smi"), options, "own.smi",
                            "others.smi");
}

TEST(OwnBenchmarkTest, SharesOutEveryMoleculeOnce) {
  const auto own = alcohols(30), others = rings(20);
  const LibraryBenchmark made = make(own, others, {.similarity = 1, .quiet = true});
  EXPECT_EQ(all_of(made, 0), std::multiset<std::string>(own.begin(), own.end()));
  EXPECT_EQ(all_of(made, 1), std::multiset<std::string>(others.begin(), others.end()));
  EXPECT_EQ(made.sides[0].size(), 24);  // train_id
  EXPECT_EQ(made.sides[2].size(), 3);   // val_id
  EXPECT_EQ(made.sides[4].size(), 3);   // test_id
  EXPECT_EQ(made.sides[1].size(), 16);
  EXPECT_EQ(made.sides[3].size(), 2);
  EXPECT_EQ(made.sides[5].size(), 2);
}

TEST(OwnBenchmarkTest, TakesNoMoreBackgroundThanOwnMolecules) {
  EXPECT_EQ(make(alcohols(12), rings(40), {.similarity = 1, .quiet = true}).background, 12);
}

TEST(OwnBenchmarkTest, LeavesOutWhatIsTheSameOrNear) {
  auto own = alcohols(20), others = rings(20);
  own.emplace_back("OCC");  // ethanol again
  own.emplace_back("Cc1ccc(CCCCCCN)cc1C");
  others.emplace_back("C(O)C");                 // ethanol
  others.emplace_back("Cc1ccc(CCCCCCCN)cc1C");  // one carbon more
  others.emplace_back("S(c1cccnc1)c1ccccc1");   // the first ring again
  const LibraryBenchmark made = make(own, others, {.similarity = 0.7, .quiet = true});
  EXPECT_EQ(made.own, 21);
  EXPECT_EQ(made.own_repeated, 1);
  EXPECT_EQ(made.background_same, 1);
  EXPECT_EQ(made.background_near + made.background_near_in_test, 1);
  EXPECT_EQ(made.background_repeated, 1);
  EXPECT_EQ(made.background, 20 + made.background_near_in_test);
  EXPECT_THAT(made.sides[1], Not(Contains("Cc1ccc(CCCCCCCN)cc1C")));
  EXPECT_THAT(made.sides[3], Not(Contains("Cc1ccc(CCCCCCCN)cc1C")));
}

TEST(OwnBenchmarkTest, NearDuplicatesStayInTheTestPart) {
  const auto amine = [](std::size_t carbons) { return "Cc1ccc(" + std::string(carbons, 'C') + "N)cc1C"; };
  std::vector<std::string> own, others = rings(30);
  for (std::size_t i = 0; i < 40; ++i) {
    own.push_back(amine(4 + 2 * i));
    others.push_back(amine(5 + 2 * i));  // each has near duplicates among the molecules of the user
  }
  const LibraryBenchmark made = make(own, others, {.similarity = 0.7, .quiet = true});
  EXPECT_GT(made.background_near_in_test, 0);
  EXPECT_GT(made.background_near, 0);
  for (const std::size_t side : {1U, 3U}) {
    for (const std::string& smiles : made.sides[side]) {
      EXPECT_EQ(smiles.find("Cc1ccc("), std::string::npos) << smiles;
    }
  }
}

TEST(OwnBenchmarkTest, DependsOnItsSeedAndOnNothingElse) {
  const auto own = alcohols(25), others = rings(25);
  const auto sides = [&](std::uint64_t seed, std::size_t threads) {
    return make(own, others, {.seed = seed, .similarity = 1, .threads = threads, .quiet = true}).sides;
  };
  EXPECT_EQ(sides(1, 1), sides(1, 4));
  EXPECT_NE(sides(1, 1), sides(2, 1));
}

TEST(OwnBenchmarkTest, NamesWhatIsNoMolecule) {
  auto own = alcohols(15);
  own.insert(own.begin() + 3, "no molecule");
  const LibraryBenchmark made = make(own, rings(15), {.similarity = 1, .quiet = true});
  ASSERT_EQ(made.failed.size(), 1);
  EXPECT_EQ(made.failed[0].line, 4);
  EXPECT_EQ(made.failed[0].file, "own.smi");
  EXPECT_EQ(made.own, 15);
}

TEST(OwnBenchmarkTest, RefusesTooFewMolecules) {
  const auto refusal = [](const std::vector<std::string>& own, const std::vector<std::string>& others) {
    try {
      make(own, others);
    } catch (const InputError& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(alcohols(9), rings(30)), HasSubstr("own.smi: has 9 distinct molecules"));
  EXPECT_THAT(refusal(alcohols(12), alcohols(12)), HasSubstr("others.smi: has 0 distinct molecules"));
}

TEST(OwnBenchmarkTest, IsReadAsACacheOfDrawnMolecules) {
  const test::TemporaryFolder folder;
  const LibraryBenchmarkOptions options{.seed = 5, .similarity = 1, .quiet = true};
  const LibraryBenchmark made = make(alcohols(20), rings(20), options);
  const std::string path = (folder / "benchmark.json").string();
  replace_file(path, to_split_cache(made, options, "own.smi", "others.smi"));
  const SplitCache cache = read_split_cache(path, {.benchmark_file = path, .data_seed = 5});
  EXPECT_TRUE(cache.mismatches.empty());
  ASSERT_EQ(cache.benchmark.train_ood.size(), made.sides[1].size());
  EXPECT_EQ(cache.benchmark.train_ood[0].smiles, made.sides[1][0]);
}

}  // namespace
}  // namespace molgauge::datasets
