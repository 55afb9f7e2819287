#include "molecules/judging/scaffold_folds.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

TEST(ScaffoldFolds, KeepScaffoldsTogetherAndFoldsEven) {
  std::vector<std::string> scaffolds;
  for (int i = 0; i < 100; ++i) {
    scaffolds.push_back(std::to_string(i / 4));
  }
  const auto folds = scaffold_folds(scaffolds, 5);
  std::map<std::size_t, int> sizes;
  for (std::size_t i = 0; i < 100; ++i) {
    ++sizes[folds[i]];
    EXPECT_EQ(folds[i], folds[i / 4 * 4]);
  }
  for (const auto& [fold, size] : sizes) {
    EXPECT_EQ(size, 20);
  }
}

TEST(ScaffoldFolds, DoNotDependOnTheOrder) {
  std::vector<std::string> scaffolds;
  for (int i = 0; i < 97; ++i) {
    scaffolds.push_back(std::to_string(i * i % 31));
  }
  const auto folds = scaffold_folds(scaffolds, 5);
  std::reverse(scaffolds.begin(), scaffolds.end());
  auto reversed = scaffold_folds(scaffolds, 5);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(folds, reversed);
}

}  // namespace
}  // namespace molgauge::domain
