#include "molecules/judging/relatives.h"

#include <set>

#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

using List = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(LeftOutGroups, JoinStereoisomersAndEqualEnvironments) {
  EnvironmentLists environments;
  for (const List& list :
       {List{{1, 1}}, List{{1, 1}}, List{{1, 2}}, List{{2, 1}}, List{{3, 1}}, List{{4, 1}}}) {
    environments.append(list);
  }
  const std::vector<Hash128> flat = {hash128("a"), hash128("b"), hash128("b"),
                                     hash128("c"), hash128("d"), hash128("e")};
  const std::vector<std::string> scaffolds = {"x", "x", "x", "y", "y", "z"};
  const LeftOutGroups groups = left_out_groups(environments, flat, scaffolds);
  EXPECT_EQ(groups.relatives[0], groups.relatives[1]) << "equal environments";
  EXPECT_EQ(groups.relatives[1], groups.relatives[2]) << "equal without stereochemistry";
  EXPECT_NE(groups.relatives[2], groups.relatives[3]) << "other counts";
  EXPECT_NE(groups.relatives[3], groups.relatives[4]);
  EXPECT_EQ(groups.scaffolds[3], groups.scaffolds[4]);
  EXPECT_NE(groups.scaffolds[4], groups.scaffolds[5]);
}

TEST(LeftOutGroups, AGroupOfMoreThanHalfIsSplit) {
  EnvironmentLists environments;
  for (int i = 0; i < 5; ++i) {
    environments.append(List{{i < 3 ? 1U : 2U + static_cast<std::uint32_t>(i), 1}});
  }
  const GroupLabels labels = left_out_groups(environments, {}, std::vector<std::string>(5)).relatives;
  EXPECT_EQ(std::set<std::uint32_t>(labels.begin(), labels.end()).size(), 5U);
}

}  // namespace
}  // namespace molgauge::domain
