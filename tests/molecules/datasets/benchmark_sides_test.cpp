// The draws come from Python's random and NumPy's default_rng, in the order of the published loader.

#include "molecules/datasets/benchmark_sides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "numbered_molecules.h"

namespace molgauge::datasets {
namespace {

using test::accept_all;
using test::first_texts;
using test::numbered;
using testing::ElementsAre;
using testing::SizeIs;

OodBenchmark select(BenchmarkKind kind, BenchmarkParts parts, OodSelection selection = {}) {
  selection.kind = kind;
  return select_ood_benchmark(std::move(parts), selection, "bench.json", accept_all);
}

TEST(GoodSides, AreDrawnAsThePublishedProgramDrawsThem) {
  const BenchmarkParts parts{.train = numbered("a", 50),
                             .iid_val = numbered("b", 12),
                             .iid_test = numbered("c", 11),
                             .ood_val = numbered("d", 20),
                             .ood_test = numbered("e", 10)};
  const OodBenchmark benchmark = select(BenchmarkKind::good, parts, {.data_seed = 7});
  EXPECT_THAT(first_texts(benchmark.train_id), ElementsAre("a11", "a17", "a28", "a15", "a49", "a42"));
  EXPECT_THAT(benchmark.train_ood, SizeIs(14));
  EXPECT_THAT(first_texts(benchmark.train_ood), ElementsAre("d18", "d14", "d17", "d1", "d6", "d12"));
  EXPECT_THAT(first_texts(benchmark.val_id), ElementsAre("b4", "b5", "b2", "b1", "b3", "b9"));
  EXPECT_THAT(first_texts(benchmark.val_ood), ElementsAre("d8", "d16", "d3", "d2", "d7", "d0"));
  EXPECT_THAT(first_texts(benchmark.test_id), ElementsAre("c5", "c1", "c2", "c8", "c6", "c7"));
  EXPECT_THAT(first_texts(benchmark.test_ood), ElementsAre("e2", "e7", "e5", "e0", "e9", "e8"));
}

TEST(GoodSides, WithoutShiftValidationAndTestComeOutOfTrain) {
  const BenchmarkParts parts{.train = numbered("a", 300),
                             .iid_val = {},
                             .iid_test = {},
                             .ood_val = numbered("d", 20),
                             .ood_test = numbered("e", 10)};
  const OodBenchmark benchmark = select(BenchmarkKind::good, parts);
  EXPECT_THAT(benchmark.train_id, SizeIs(203));
  EXPECT_THAT(benchmark.val_id, SizeIs(75));
  EXPECT_THAT(benchmark.test_id, SizeIs(22));
  EXPECT_THAT(first_texts(benchmark.train_id), ElementsAre("a105", "a247", "a179", "a206", "a134", "a240"));
  EXPECT_THAT(first_texts(benchmark.val_id), ElementsAre("a274", "a202", "a137", "a110", "a3", "a12"));
  EXPECT_THAT(first_texts(benchmark.test_id), ElementsAre("a244", "a133", "a41", "a294", "a64", "a103"));
}

TEST(GoodSides, AFewTrainingMoleculesAreHalved) {
  const BenchmarkParts parts{.train = numbered("a", 60),
                             .iid_val = {},
                             .iid_test = {},
                             .ood_val = numbered("d", 20),
                             .ood_test = numbered("e", 10)};
  const OodBenchmark benchmark = select(BenchmarkKind::good, parts);
  EXPECT_THAT(benchmark.train_id, SizeIs(30));
  EXPECT_THAT(first_texts(benchmark.train_id), ElementsAre("a48", "a56", "a53", "a18", "a15", "a32"));
  EXPECT_THAT(first_texts(benchmark.val_id), ElementsAre("a49", "a52", "a25", "a24", "a44", "a41"));
  EXPECT_THAT(first_texts(benchmark.test_id), ElementsAre("a23", "a38", "a33", "a30", "a45", "a54"));
}

TEST(GoodSides, WithoutOodValTheTestPartIsShared) {
  const BenchmarkParts parts{.train = numbered("a", 50),
                             .iid_val = numbered("b", 12),
                             .iid_test = numbered("c", 11),
                             .ood_val = {},
                             .ood_test = numbered("e", 10)};
  const OodBenchmark benchmark = select(BenchmarkKind::good, parts);
  EXPECT_THAT(first_texts(benchmark.train_ood), ElementsAre("e2", "e7", "e3"));
  EXPECT_THAT(first_texts(benchmark.val_ood), ElementsAre("e8", "e5", "e6"));
  EXPECT_THAT(first_texts(benchmark.test_ood), ElementsAre("e0", "e9", "e4", "e1"));
}

TEST(GoodSides, ADebugSizeCutsEverySideAndScalesTheSizes) {
  const BenchmarkParts parts{.train = numbered("a", 50),
                             .iid_val = numbered("b", 42),
                             .iid_test = numbered("c", 41),
                             .ood_val = numbered("d", 60),
                             .ood_test = numbered("e", 40)};
  const OodBenchmark benchmark = select(BenchmarkKind::good, parts, {.debug_size = 30});
  EXPECT_THAT(benchmark.train_id, SizeIs(30));
  EXPECT_THAT(benchmark.val_id, SizeIs(9));
  EXPECT_THAT(benchmark.test_id, SizeIs(12));
  EXPECT_THAT(first_texts(benchmark.train_id), ElementsAre("a15", "a22", "a5", "a40", "a30", "a34"));
  EXPECT_THAT(first_texts(benchmark.train_ood), ElementsAre("d9", "d44", "d19", "d10", "d45", "d32"));
  EXPECT_THAT(first_texts(benchmark.val_id), ElementsAre("b24", "b25", "b38", "b33", "b36", "b12"));
  EXPECT_THAT(first_texts(benchmark.val_ood), ElementsAre("d6", "d56", "d51", "d8", "d1", "d17"));
  EXPECT_THAT(first_texts(benchmark.test_id), ElementsAre("c32", "c21", "c16", "c27", "c3", "c9"));
  EXPECT_THAT(first_texts(benchmark.test_ood), ElementsAre("e39", "e14", "e7", "e23", "e2", "e22"));
}

BenchmarkParts drugood_parts(std::size_t iid_val) {
  return {.train = numbered("a", 50),
          .iid_val = numbered("b", iid_val),
          .iid_test = numbered("c", 31),
          .ood_val = numbered("d", 40),
          .ood_test = numbered("e", 41)};
}

TEST(DrugoodSides, ADebugSizeCutsEveryPartAndScalesTheSizes) {
  const OodBenchmark benchmark = select(BenchmarkKind::drugood, drugood_parts(30), {.debug_size = 20});
  EXPECT_THAT(benchmark.train_id, SizeIs(20));
  EXPECT_THAT(benchmark.train_ood, SizeIs(16));
  EXPECT_THAT(first_texts(benchmark.train_id), ElementsAre("a22", "a25", "a26", "a6", "a19", "a35"));
  EXPECT_THAT(first_texts(benchmark.train_ood), ElementsAre("d34", "d11", "d17", "d15", "d30", "d14"));
  EXPECT_THAT(first_texts(benchmark.val_id), ElementsAre("b9", "b19", "b12", "b5", "b29", "b26"));
  EXPECT_THAT(first_texts(benchmark.val_ood), ElementsAre("d8", "d6", "d4", "d31"));
  EXPECT_THAT(first_texts(benchmark.test_id), ElementsAre("c17", "c2", "c27", "c3", "c25", "c19"));
  EXPECT_THAT(first_texts(benchmark.test_ood), ElementsAre("e30", "e6", "e10", "e14", "e5", "e24"));
}

TEST(DrugoodSides, TheHeldOutSeedChoosesTheCutsAndTheValidation) {
  const OodBenchmark benchmark =
      select(BenchmarkKind::drugood, drugood_parts(0), {.debug_size = 20, .held_out_seed = 5});
  EXPECT_THAT(first_texts(benchmark.train_id), ElementsAre("a0", "a39", "a1", "a10", "a34", "a6"));
  EXPECT_THAT(first_texts(benchmark.val_id), ElementsAre("a44", "a3", "a29", "a24", "a22", "a30"));
  EXPECT_THAT(first_texts(benchmark.train_ood), ElementsAre("d13", "d33", "d35", "d25", "d8", "d5"));
  EXPECT_THAT(first_texts(benchmark.test_ood), ElementsAre("e1", "e12", "e40", "e37", "e22", "e11"));
}

TEST(DrugoodSides, TextsThatAreNothingLikeSmilesAreLeftOutAndReported) {
  BenchmarkParts parts = drugood_parts(30);
  parts.train.push_back({"C1CC(", 0, 90});
  parts.ood_test.push_back({"((", 0, 91});
  parts.ood_test.push_back({"C%10C", 0, 92});
  OodBenchmark benchmark = drugood_sides(parts, {}, "bench.json", [](const std::string& smiles) {
    return smiles == "((" || smiles == "C1CC(" ? "not a molecule" : "";
  });
  EXPECT_THAT(benchmark.train_id, SizeIs(50));
  EXPECT_THAT(benchmark.test_ood, SizeIs(42)) << "a % is unusual, but one unusual character may be";
  ASSERT_THAT(benchmark.failed, SizeIs(1));
  EXPECT_EQ(benchmark.failed[0].line, 90U);
  EXPECT_EQ(benchmark.failed[0].text, "C1CC(");
  EXPECT_EQ(benchmark.failed[0].reason, "not a molecule");
  ASSERT_THAT(benchmark.failed_test, SizeIs(1));
  EXPECT_EQ(benchmark.failed_test[0].row, 41U);
}

TEST(ResemblesSmiles, BalancedBracketsOrAFewUnusualCharacters) {
  EXPECT_TRUE(resembles_smiles("C1CC"));
  EXPECT_TRUE(resembles_smiles("not a smiles"));
  EXPECT_TRUE(resembles_smiles("C(C%10"));
  EXPECT_TRUE(resembles_smiles("\xC3\xA9(\xC3\xA9"));
  EXPECT_FALSE(resembles_smiles("C(C"));
  EXPECT_FALSE(resembles_smiles("[Na+"));
  EXPECT_FALSE(resembles_smiles("a!b?c;d"));
  EXPECT_FALSE(resembles_smiles(""));
}

}  // namespace
}  // namespace molgauge::datasets
