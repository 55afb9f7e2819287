#include "base/io/tensors/good_processed.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The files were written by PyTorch Geometric's InMemoryDataset.collate and torch.save.

TEST(GoodProcessed, IsReadWithoutPyTorchGeometric) {
  const auto part = read_good_processed(test::own_data("datasets/good/processed/covariate_train.pt"));
  EXPECT_THAT(part.smiles, ElementsAre("C", "CC", "CCC", "CCCC", "CCCCC", "CCCCCC"));
  EXPECT_EQ(part.tasks, 1U);
  EXPECT_THAT(part.labels, ElementsAre(0, 1, 0, 1, 0, 1));
  EXPECT_THAT(part.domain_id, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(part.environment, ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(GoodProcessed, OfLaterVersionsIsADict) {
  const auto part = read_good_processed(test::own_data("datasets/good/later_version.pt"));
  EXPECT_THAT(part.smiles, ElementsAre("CCO", "CCN"));
  EXPECT_EQ(part.tasks, 2U);
  EXPECT_EQ(part.labels[0], 1);
  EXPECT_TRUE(std::isnan(part.labels[1])) << "unknown";
  EXPECT_TRUE(part.environment.empty());
}

TEST(GoodProcessed, RefusesOtherFilesByName) {
  for (const char* name : {"io/checkpoint.pth", "io/nested.pth"}) {
    try {
      read_good_processed(test::own_data(name));
      FAIL() << name;
    } catch (const InputError& problem) {
      EXPECT_THAT(problem.what(), HasSubstr(name));
      EXPECT_THAT(problem.what(), HasSubstr("molgauge split"));
    }
  }
}

}  // namespace
}  // namespace molgauge::io
