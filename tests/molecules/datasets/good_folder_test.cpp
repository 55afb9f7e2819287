#include "molecules/datasets/good_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/datasets/load_benchmark.h"
#include "molecules/datasets/make_benchmark.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

using io::DrugOodPart;
using testing::HasSubstr;

SplitRequest request_of(const test::TemporaryFolder& folder) {
  SplitRequest request;
  request.molecules = test::own_data("datasets/good/processed").string();
  request.out = folder / "bench.json";
  request.quiet = true;
  return request;
}

TEST(GoodFolder, IsTakenAsItIs) {
  const test::TemporaryFolder folder;
  const SplitRequest request = request_of(folder);
  const SplitReport report = make_benchmark(request);
  EXPECT_EQ(report.rows, 18U);
  EXPECT_EQ(report.part_sizes.at("ood_val"), 6U);
  const auto file = io::read_drugood_json(request.out);
  EXPECT_EQ(file[DrugOodPart::train][2].smiles, "CCC");
  EXPECT_EQ(file[DrugOodPart::train][2].environment, 2);
  EXPECT_EQ(file[DrugOodPart::train][3].cls_label, 1);
  EXPECT_EQ(file[DrugOodPart::iid_test][1].smiles, "CCCl");
  EXPECT_EQ(file[DrugOodPart::ood_test][0].smiles, "C1CCCCC1O");
}

TEST(GoodFolder, IsLoadedByGoodsRules) {
  const test::TemporaryFolder folder;
  const SplitRequest request = request_of(folder);
  make_benchmark(request);
  const OodBenchmark drawn = load_ood_benchmark(request.out, {}, {.quiet = true});
  EXPECT_EQ(drawn.train_id.size(), 6U);
  EXPECT_EQ(drawn.train_ood.size(), 4U) << "0.7 of GOOD's val";
  EXPECT_EQ(drawn.val_ood.size(), 2U);
}

TEST(GoodFolder, NamesTheFileThatIsMissing) {
  const test::TemporaryFolder folder;
  SplitRequest request = request_of(folder);
  request.shift = Shift::concept_shift;
  try {
    make_benchmark(request);
    FAIL();
  } catch (const InputError& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("concept_train.pt: no such file"));
  }
}

TEST(GoodFolder, RefusesOptionsThatHaveNoEffect) {
  const test::TemporaryFolder folder;
  SplitRequest request = request_of(folder);
  request.label_columns = {"y"};
  EXPECT_THROW(make_benchmark(request), UsageError);
}

}  // namespace
}  // namespace molgauge::datasets
