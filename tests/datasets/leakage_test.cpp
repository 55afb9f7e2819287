#include "datasets/leakage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace headroom::datasets {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// `canonical`: what its identity is made of; by default the text itself.
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
  EXPECT_EQ(shared.examples, "\n  bench.json:9: 'CCO' stands in train_id and in test_id (line 1)");
}

TEST(SharedMolecules, AreFoundInOtherSpellings) {
  OodBenchmark benchmark = clean();
  benchmark.val_id.push_back(molecule("OCC", 9, "CCO"));
  EXPECT_EQ(find_shared_molecules(benchmark, "bench.json").examples,
            "\n  bench.json:9: 'OCC' in val_id is 'CCO' of train_id (line 1) in another spelling");
}

TEST(SharedMolecules, AreLookedForInSevenPairsOfSidesAndNoOthers) {
  using Sides = std::vector<BenchmarkMolecule> OodBenchmark::*;
  const auto shared = [](Sides left, Sides right) {
    OodBenchmark benchmark = clean();
    (benchmark.*right).push_back((benchmark.*left).front());
    return find_shared_molecules(benchmark, "").count == 1;
  };
  EXPECT_TRUE(shared(&OodBenchmark::train_id, &OodBenchmark::val_id));
  EXPECT_TRUE(shared(&OodBenchmark::train_id, &OodBenchmark::test_id));
  EXPECT_TRUE(shared(&OodBenchmark::train_id, &OodBenchmark::train_ood));
  EXPECT_TRUE(shared(&OodBenchmark::train_ood, &OodBenchmark::val_ood));
  EXPECT_TRUE(shared(&OodBenchmark::train_ood, &OodBenchmark::test_ood));
  EXPECT_TRUE(shared(&OodBenchmark::val_id, &OodBenchmark::val_ood));
  EXPECT_TRUE(shared(&OodBenchmark::test_id, &OodBenchmark::test_ood));
  EXPECT_FALSE(shared(&OodBenchmark::val_id, &OodBenchmark::test_id));
  EXPECT_FALSE(shared(&OodBenchmark::val_ood, &OodBenchmark::test_ood));
  EXPECT_FALSE(shared(&OodBenchmark::train_id, &OodBenchmark::test_ood));
}

TEST(SharedMolecules, AFewAreNamedAndAllAreCounted) {
  OodBenchmark benchmark = clean();
  for (std::size_t i = 0; i < 8; ++i) {
    benchmark.train_id.push_back(molecule(std::string(i + 5, 'C'), i + 10));
    benchmark.val_id.push_back(molecule(std::string(i + 5, 'C'), i + 30));
  }
  benchmark.test_id.push_back(benchmark.train_id.back());  // one that was counted
  const SharedMolecules shared = find_shared_molecules(benchmark, "bench.json");
  EXPECT_EQ(shared.count, 8U);
  EXPECT_THAT(shared.examples, AllOf(HasSubstr("bench.json:34:"), Not(HasSubstr("bench.json:35:")),
                                     HasSubstr("8 molecules stand in train_id and in val_id in all")));
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
}  // namespace headroom::datasets
