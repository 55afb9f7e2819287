#include "datasets/leakage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace headroom::datasets {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

BenchmarkMolecule molecule(const std::string& smiles, std::size_t line) {
  return {.smiles = smiles, .label = 0, .line = line, .value = 0};
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

std::string refusal(OodBenchmark benchmark) {
  try {
    refuse_shared_texts(benchmark, "bench.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RefuseSharedTexts, NamesTheMoleculeBothPlacesAndTheFix) {
  EXPECT_EQ(refusal(clean()), "accepted");
  OodBenchmark benchmark = clean();
  benchmark.test_id.push_back(molecule("CCO", 9));
  EXPECT_THAT(refusal(benchmark),
              AllOf(HasSubstr("bench.json:9: 'CCO' stands in train_id and in test_id (line 1)"),
                    HasSubstr("headroom split")));
}

TEST(RefuseSharedTexts, ComparesTheSevenPairsOfSidesAndNoOthers) {
  using Sides = std::vector<BenchmarkMolecule> OodBenchmark::*;
  const auto shared = [](Sides left, Sides right) {
    OodBenchmark benchmark = clean();
    (benchmark.*right).push_back((benchmark.*left).front());
    return refusal(benchmark) != "accepted";
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

TEST(RefuseSharedTexts, NamesAFewAndCountsTheRest) {
  OodBenchmark benchmark = clean();
  for (std::size_t i = 0; i < 8; ++i) {
    benchmark.train_id.push_back(molecule(std::string(i + 5, 'C'), i + 10));
    benchmark.val_id.push_back(molecule(std::string(i + 5, 'C'), i + 30));
  }
  const std::string text = refusal(benchmark);
  EXPECT_THAT(text, AllOf(HasSubstr("bench.json:34:"), Not(HasSubstr("bench.json:35:")),
                          HasSubstr("8 molecules of train_id stand in val_id in all")));
}

TEST(RefuseSharedMolecules, FindsOtherSpellings) {
  OodBenchmark benchmark = clean();
  benchmark.val_id.push_back(molecule("OCC", 9));
  EXPECT_EQ(refusal(benchmark), "accepted");
  try {
    refuse_shared_molecules(benchmark, {{"CCO", "CCO"}, {"OCC", "CCO"}, {"CCN", "CCN"}}, "bench.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("bench.json:9: 'OCC' in val_id is 'CCO' of train_id (line 1) in another spelling"));
  }
}

}  // namespace
}  // namespace headroom::datasets
