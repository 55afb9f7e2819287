#include "molecules/datasets/ood_benchmark.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "numbered_molecules.h"

namespace molgauge::datasets {
namespace {

using test::numbered;
using testing::HasSubstr;
using testing::SizeIs;

BenchmarkParts numbered_parts() {
  return {.train = numbered("a", 50),
          .iid_val = numbered("b", 20),
          .iid_test = numbered("c", 30),
          .ood_val = numbered("d", 25),
          .ood_test = numbered("e", 30)};
}

std::set<std::string> texts(const std::vector<BenchmarkMolecule>& molecules) {
  std::set<std::string> result;
  for (const auto& molecule : molecules) {
    result.insert(molecule.smiles);
  }
  return result;
}

OodBenchmark select(const BenchmarkParts& parts, const OodSelection& selection) {
  return select_ood_benchmark(parts, selection, "bench.json", test::accept_all);
}

const OodSelection kEverything{.train_size = 0, .val_size = 0, .test_size = 0};

std::string refusal(const BenchmarkParts& parts) {
  try {
    select(parts, kEverything);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SelectOodBenchmark, SharesOodValBetweenTrainingAndValidation) {
  const OodBenchmark benchmark = select(numbered_parts(), kEverything);
  EXPECT_EQ(texts(benchmark.train_id), texts(numbered("a", 50)));
  EXPECT_EQ(texts(benchmark.val_id), texts(numbered("b", 20)));
  EXPECT_EQ(texts(benchmark.test_id), texts(numbered("c", 30)));
  EXPECT_EQ(texts(benchmark.test_ood), texts(numbered("e", 30)));
  EXPECT_THAT(benchmark.val_ood, SizeIs(5));
  EXPECT_THAT(benchmark.train_ood, SizeIs(20));
  auto both = texts(benchmark.val_ood);
  both.merge(texts(benchmark.train_ood));
  EXPECT_EQ(both, texts(numbered("d", 25)));
}

TEST(SelectOodBenchmark, DrawsTheWantedSizesAndKeepsLabelsAndLines) {
  const OodSelection selection{.train_size = 10, .val_size = 4, .test_size = 7};
  const OodBenchmark benchmark = select(numbered_parts(), selection);
  EXPECT_THAT(benchmark.train_id, SizeIs(10));
  EXPECT_THAT(benchmark.train_ood, SizeIs(10));
  EXPECT_THAT(benchmark.val_id, SizeIs(4));
  EXPECT_THAT(benchmark.val_ood, SizeIs(4));
  EXPECT_THAT(benchmark.test_id, SizeIs(7));
  EXPECT_THAT(benchmark.test_ood, SizeIs(7));
  for (const auto& molecule : benchmark.train_id) {
    const auto number = std::stoul(molecule.smiles.substr(1));
    EXPECT_EQ(molecule.line, number + 1);
    EXPECT_EQ(molecule.label, static_cast<int>(number % 2));
  }
}

TEST(SelectOodBenchmark, TakesAllWhereThereAreFewer) {
  const OodSelection selection{.train_size = 60, .val_size = 0, .test_size = 0};
  const OodBenchmark benchmark = select(numbered_parts(), selection);
  EXPECT_EQ(texts(benchmark.train_id), texts(numbered("a", 50)));
  EXPECT_EQ(texts(benchmark.test_id), texts(numbered("c", 30)));
}

TEST(SelectOodBenchmark, TheDataSeedChangesTheDraw) {
  const OodSelection first{.data_seed = 1, .train_size = 10, .val_size = 5, .test_size = 5};
  const OodSelection second{.data_seed = 2, .train_size = 10, .val_size = 5, .test_size = 5};
  const auto parts = numbered_parts();
  EXPECT_EQ(texts(select(parts, first).train_id), texts(select(parts, first).train_id));
  EXPECT_NE(texts(select(parts, first).train_id), texts(select(parts, second).train_id));
}

TEST(SelectOodBenchmark, HoldsOutValidationWhereTheFileHasNone) {
  auto parts = numbered_parts();
  parts.iid_val.clear();
  const OodBenchmark few = select(parts, kEverything);
  EXPECT_THAT(few.val_id, SizeIs(25)) << "half of fewer than 100";
  EXPECT_THAT(few.train_id, SizeIs(25));

  parts.train = numbered("a", 101);
  const OodBenchmark many = select(parts, kEverything);
  EXPECT_THAT(many.val_id, SizeIs(25)) << "a quarter of 100 and more";
  EXPECT_THAT(many.train_id, SizeIs(76));
  auto both = texts(many.val_id);
  both.merge(texts(many.train_id));
  EXPECT_EQ(both, texts(parts.train));
}

TEST(SelectOodBenchmark, SizesFollowTheKindOfDataSet) {
  const BenchmarkParts parts{.train = numbered("a", 6000),
                             .iid_val = numbered("b", 1600),
                             .iid_test = numbered("c", 2100),
                             .ood_val = numbered("d", 9000),
                             .ood_test = numbered("e", 2100)};
  const OodBenchmark drugood = select(parts, {.kind = BenchmarkKind::drugood});
  EXPECT_THAT(drugood.train_id, SizeIs(2000));
  EXPECT_THAT(drugood.train_ood, SizeIs(2000));
  EXPECT_THAT(drugood.val_ood, SizeIs(600));
  EXPECT_THAT(drugood.test_ood, SizeIs(1000));
  const OodBenchmark good = select(parts, {.kind = BenchmarkKind::good});
  EXPECT_THAT(good.train_id, SizeIs(5000));
  EXPECT_THAT(good.train_ood, SizeIs(5000));
  EXPECT_THAT(good.val_id, SizeIs(1500));
  EXPECT_THAT(good.test_ood, SizeIs(2000));
}

TEST(SelectOodBenchmark, ADebugSizeStandsAlone) {
  EXPECT_THROW(select(numbered_parts(), {.test_size = 5, .debug_size = 10}), UsageError);
}

TEST(SelectOodBenchmark, RefusesAHeldOutSeedWithoutEffect) {
  auto parts = numbered_parts();
  EXPECT_THROW(select(parts, {.held_out_seed = 3}), UsageError);
  EXPECT_THROW(select(parts, {.kind = BenchmarkKind::good, .debug_size = 10, .held_out_seed = 3}),
               UsageError);
  parts.iid_val.clear();
  EXPECT_NO_THROW(select(parts, {.held_out_seed = 3}));
}

TEST(SelectOodBenchmark, GoodValuesBecomeClassesAtTheMedianOfTraining) {
  auto parts = numbered_parts();
  for (auto* part : {&parts.train, &parts.iid_val, &parts.iid_test, &parts.ood_val, &parts.ood_test}) {
    for (std::size_t i = 0; i < part->size(); ++i) {
      (*part)[i].value = static_cast<double>(i) / 10;
    }
  }
  const OodBenchmark benchmark = select(parts, {.kind = BenchmarkKind::good});
  for (const auto& molecule : benchmark.test_id) {
    EXPECT_EQ(molecule.label, molecule.value >= 2.5 ? 1 : 0) << "2.5: the 26th of 50 training values";
  }
  const OodBenchmark drugood = select(parts, {.kind = BenchmarkKind::drugood});
  for (const auto& molecule : drugood.test_id) {
    EXPECT_EQ(molecule.label, static_cast<int>(std::stoul(molecule.smiles.substr(1)) % 2));
  }
}

TEST(SelectOodBenchmark, RefusesAnEmptySideAndNamesIt) {
  auto parts = numbered_parts();
  parts.iid_test.clear();
  EXPECT_THAT(refusal(parts), HasSubstr("bench.json: no molecules for test_id"));
  parts = numbered_parts();
  parts.ood_val.resize(4);
  EXPECT_THAT(refusal(parts), HasSubstr("no molecules for val_ood"));
  EXPECT_NE(refusal({}), "accepted");
}

}  // namespace
}  // namespace molgauge::datasets
