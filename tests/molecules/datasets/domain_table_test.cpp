#include "molecules/datasets/domain_table.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::datasets {
namespace {

using testing::ElementsAre;

TEST(DomainTable, NumbersByValueOrByAppearance) {
  const std::vector<std::string> scaffolds = {"c1ccccc1", "", "C1CC1", "c1ccccc1", ""};
  const DomainTable by_value = domains_by_value(scaffolds);
  EXPECT_THAT(by_value.domain_of_row, ElementsAre(2, 0, 1, 2, 0));
  EXPECT_EQ(by_value.count, 3U);
  const DomainTable by_appearance = domains_by_appearance(scaffolds);
  EXPECT_THAT(by_appearance.domain_of_row, ElementsAre(0, 1, 2, 0, 1));
  EXPECT_EQ(by_appearance.count, 3U);
}

TEST(DomainTable, SizesCompareAsNumbers) {
  EXPECT_THAT(domains_by_value(std::vector<std::size_t>{10, 9, 100}).domain_of_row, ElementsAre(1, 0, 2));
}

}  // namespace
}  // namespace molgauge::datasets
