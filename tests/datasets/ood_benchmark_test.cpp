#include "datasets/ood_benchmark.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace headroom::datasets {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

/// Molecules "<name>0", "<name>1", ... on lines 1, 2, ...
std::vector<BenchmarkMolecule> numbered(const std::string& name, std::size_t count) {
  std::vector<BenchmarkMolecule> molecules;
  for (std::size_t i = 0; i < count; ++i) {
    molecules.push_back({name + std::to_string(i), static_cast<int>(i % 2), i + 1});
  }
  return molecules;
}

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

constexpr OodSelection kEverything{.train_size = 0, .val_size = 0, .test_size = 0};

std::string refusal(const BenchmarkParts& parts) {
  try {
    select_ood_benchmark(parts, kEverything, "bench.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SelectOodBenchmark, SharesOodValBetweenTrainingAndValidation) {
  const OodBenchmark benchmark = select_ood_benchmark(numbered_parts(), kEverything, "bench.json");
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
  const OodBenchmark benchmark = select_ood_benchmark(numbered_parts(), selection, "bench.json");
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
  const OodBenchmark benchmark = select_ood_benchmark(numbered_parts(), selection, "bench.json");
  EXPECT_EQ(texts(benchmark.train_id), texts(numbered("a", 50)));
  EXPECT_EQ(texts(benchmark.test_id), texts(numbered("c", 30)));
}

TEST(SelectOodBenchmark, TheDataSeedChangesTheDraw) {
  const OodSelection first{.data_seed = 1, .train_size = 10, .val_size = 5, .test_size = 5};
  const OodSelection second{.data_seed = 2, .train_size = 10, .val_size = 5, .test_size = 5};
  const auto parts = numbered_parts();
  EXPECT_EQ(texts(select_ood_benchmark(parts, first, "f").train_id),
            texts(select_ood_benchmark(parts, first, "f").train_id));
  EXPECT_NE(texts(select_ood_benchmark(parts, first, "f").train_id),
            texts(select_ood_benchmark(parts, second, "f").train_id));
}

TEST(SelectOodBenchmark, HoldsOutValidationWhereTheFileHasNone) {
  auto parts = numbered_parts();
  parts.iid_val.clear();
  const OodBenchmark few = select_ood_benchmark(parts, kEverything, "bench.json");
  EXPECT_THAT(few.val_id, SizeIs(25)) << "half of fewer than 100";
  EXPECT_THAT(few.train_id, SizeIs(25));

  parts.train = numbered("a", 101);
  const OodBenchmark many = select_ood_benchmark(parts, kEverything, "bench.json");
  EXPECT_THAT(many.val_id, SizeIs(25)) << "a quarter of 100 and more";
  EXPECT_THAT(many.train_id, SizeIs(76));
  auto both = texts(many.val_id);
  both.merge(texts(many.train_id));
  EXPECT_EQ(both, texts(parts.train));
}

TEST(SelectOodBenchmark, RefusesATextInTwoPartsThatMustNotShareAny) {
  auto parts = numbered_parts();
  parts.iid_test.push_back({"a7", 0, 99});
  EXPECT_THAT(refusal(parts), HasSubstr("bench.json:99: 'a7' stands in train_id and in test_id"));
  EXPECT_THAT(refusal(parts), HasSubstr("headroom split"));

  parts = numbered_parts();
  parts.ood_test.push_back({"c3", 0, 99});
  EXPECT_THAT(refusal(parts), HasSubstr("test_id and in test_ood"));

  parts = numbered_parts();
  parts.ood_test.push_back(parts.train.front());  // not compared: different sides, different stages
  EXPECT_EQ(refusal(parts), "accepted");
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
}  // namespace headroom::datasets
