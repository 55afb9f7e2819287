#include "molecules/datasets/leakage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::datasets {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// `canonical`: the text that identifies the molecule, by default the record text.
BenchmarkMolecule molecule(const std::string& smiles, std::size_t line, const std::string& canonical = "") {
  BenchmarkMolecule result{.smiles = smiles, .label = 0, .line = line, .value = 0};
  result.identity = hash128(canonical.empty() ? smiles : canonical);
  return result;
}

OodBenchmark clean() {
  OodBenchmark benchmark;
  benchmark.train_id = {molecule("CCO", 1)};
  benchmark.train_ood = {molecule("CCN", 2)};
  benchmark.val_id = {molecule("CCS", 3)};
  benchmark.val_ood = {molecule("CCF", 4)};
  benchmark.test_id = {molecule("CCCl", 5)};
  benchmark.test_ood = {molecule("CCBr", 6)};
  return benchmark;
}

TEST(SharedMolecules, NamesTheMoleculeAndBothPlaces) {
  OodBenchmark benchmark = clean();
  EXPECT_EQ(find_shared_molecules(benchmark, "bench.json").count, 0U);
  benchmark.test_id.push_back(molecule("CCO", 9));
  const SharedMolecules shared = find_shared_molecules(benchmark, "bench.json");
  EXPECT_EQ(shared.count, 1U);
  EXPECT_EQ(shared.examples, "\n  bench.json:9: 'CCO' is in train_id and in test_id (line 1)");
}

TEST(SharedMolecules, AreFoundInOtherSpellings) {
  OodBenchmark benchmark = clean();
  benchmark.val_id.push_back(molecule("OCC", 9, "CCO"));
  EXPECT_EQ(find_shared_molecules(benchmark, "bench.json").examples,
            "\n  bench.json:9: 'OCC' in val_id is the same molecule as 'CCO' in train_id (line 1)");
}

TEST(SharedMolecules, AreFoundInEachOfTheFifteenPairsOfSides) {
  std::size_t pairs = 0, accepted_by_python = 0;
  for (std::size_t left = 0; left < kSides.size(); ++left) {
    for (std::size_t right = left + 1; right < kSides.size(); ++right) {
      OodBenchmark benchmark = clean();
      benchmark.of(kSides[right]).push_back(benchmark.of(kSides[left]).front());
      const SharedMolecules shared = find_shared_molecules(benchmark, "bench.json");
      EXPECT_EQ(shared.count, 1U) << to_string(kSides[left]) << " and " << to_string(kSides[right]);
      const bool says_so = shared.examples.find("the Python project accepts this pair") != std::string::npos;
      EXPECT_EQ(says_so, !is_compared_by_python_project(kSides[left], kSides[right]));
      EXPECT_EQ(says_so, !is_compared_by_python_project(kSides[right], kSides[left]));
      accepted_by_python += says_so ? 1 : 0;
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 15U);
  EXPECT_EQ(accepted_by_python, 8U);
}

TEST(SharedMolecules, OfATestPartEqualToAValidationPartAreAllCounted) {
  OodBenchmark benchmark = clean();
  benchmark.val_id = {molecule("CCS", 3), molecule("CCCS", 4)};
  benchmark.test_id = benchmark.val_id;
  EXPECT_EQ(find_shared_molecules(benchmark, "").count, 2U);
}

TEST(SharedMolecules, AFewAreNamedAndAllAreCounted) {
  OodBenchmark benchmark = clean();
  for (std::size_t i = 0; i < 8; ++i) {
    benchmark.train_id.push_back(molecule(std::string(i + 5, 'C'), i + 10));
    benchmark.val_id.push_back(molecule(std::string(i + 5, 'C'), i + 30));
  }
  benchmark.test_id.push_back(benchmark.train_id.back());  // this molecule has already been counted
  const SharedMolecules shared = find_shared_molecules(benchmark, "bench.json");
  EXPECT_EQ(shared.count, 8U);
  EXPECT_THAT(shared.examples, AllOf(HasSubstr("bench.json:34:"), Not(HasSubstr("bench.json:35:")),
                                     HasSubstr("8 molecules are in train_id and in val_id in all")));
}

TEST(SharedMolecules, WithoutIdentityAreNotCompared) {
  OodBenchmark benchmark = clean();
  benchmark.train_id.front().identity = benchmark.test_id.front().identity = kNoIdentity;
  EXPECT_EQ(find_shared_molecules(benchmark, "").count, 0U);
}

TEST(SharedMolecules, AreRefusedUnlessAccepted) {
  EXPECT_NO_THROW(require_accepted({}, false, "f: none", "remove them"));
  EXPECT_NO_THROW(require_accepted({1, "\n  f:1: 'C'"}, true, "f: one", "remove them"));
  try {
    require_accepted({1, "\n  f:1: 'C'"}, false, "f: one", "remove them");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(testing::StartsWith("f: one:\n  f:1: 'C'\nremove them, or accept them"),
                                    HasSubstr("--allow-overlap"), HasSubstr("allow-overlap = true")));
  }
}

}  // namespace
}  // namespace molgauge::datasets
