#include "molecules/datasets/drugood_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::datasets {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(WithoutCensoring, MovesAValueToWhereItMustLie) {
  EXPECT_EQ(without_censoring(6, "<"), 5);
  EXPECT_EQ(without_censoring(6, "<="), 5);
  EXPECT_EQ(without_censoring(6, ">"), 7);
  EXPECT_EQ(without_censoring(6, ">="), 7);
  EXPECT_EQ(without_censoring(6, "="), 6);
  EXPECT_EQ(without_censoring(6, "~"), 6);
}

TEST(ClassThreshold, IsTheUpperMedianWithinItsBounds) {
  EXPECT_EQ(class_threshold({5.5, 4.5, 5.0, 4.8}), 5.0);
  EXPECT_EQ(class_threshold({4.0}), 4.0);
  EXPECT_EQ(class_threshold({3.9}), 5.0);
  EXPECT_EQ(class_threshold({6.0}), 6.0);
  EXPECT_EQ(class_threshold({6.1}), 5.0);
  EXPECT_EQ(class_threshold({}), 5.0);
}

TEST(DrugoodSplit, TrainsOnTheDomainsWithTheLargestKeys) {
  // Domains of 5, 1, 3, 1 rows, keys 10, 30, 20, 20: the order is 1, 2, 3, 0.
  const auto domains = domains_by_appearance(std::vector<int>{0, 0, 0, 0, 0, 1, 2, 2, 2, 3});
  const std::vector<std::int64_t> keys = {10, 30, 20, 20};
  PythonRandom random(3);
  const SplitParts parts = drugood_split(domains, keys, random);
  // Limits 6 and 8: domains 1, 2, 3 and 0 begin after 0, 1, 4 and 5 rows, all before 6.
  EXPECT_THAT(parts.train, SizeIs(1 + 3)) << "floor(0.6 k) of 1, 3, 1 and 5";
  EXPECT_THAT(parts.iid_val, SizeIs(1));
  EXPECT_THAT(parts.iid_test, SizeIs(1 + 2 + 1 + 1));
  EXPECT_EQ(parts.iid_test[0], 5U) << "a domain of one row goes to iid_test";
  EXPECT_THAT(parts.ood_val, IsEmpty());
}

TEST(DrugoodSplit, LaysWholeDomainsOverTheLimits) {
  std::vector<int> values(20);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i / 5);
  }
  const std::vector<std::int64_t> keys = {4, 3, 2, 1};
  PythonRandom random(3);
  const SplitParts parts = drugood_split(domains_by_appearance(values), keys, random);
  // Limits 12 and 16: domains begin after 0, 5, 10 and 15 rows.
  EXPECT_THAT(parts.train, SizeIs(9));
  EXPECT_THAT(parts.iid_val, SizeIs(3));
  EXPECT_THAT(parts.iid_test, SizeIs(3));
  EXPECT_THAT(parts.ood_val, ElementsAre(15, 16, 17, 18, 19));
  EXPECT_THAT(parts.ood_test, IsEmpty());
}

}  // namespace
}  // namespace molgauge::datasets
