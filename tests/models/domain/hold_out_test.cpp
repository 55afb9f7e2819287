#include "models/domain/hold_out.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "core/error.h"

namespace headroom::domain {
namespace {

TEST(HeldOutCount, IsAFifthButEnoughForTheLevelAndNotTooMany) {
  EXPECT_EQ(held_out_count(1000, 0.05), 200U);
  EXPECT_EQ(held_out_count(50, 0.05), 19U);
  EXPECT_EQ(held_out_count(1'000'000, 0.05), 5000U);
  EXPECT_EQ(held_out_count(360, 0.01), 99U);
  EXPECT_EQ(held_out_count(150, 0.01), 50U) << "a third at most";
  EXPECT_EQ(held_out_count(3000, 0.001), 999U);
  EXPECT_EQ(held_out_count(38, 0.01), 19U);
  EXPECT_THROW(held_out_count(37, 0.01), InputError);
}

TEST(DrawHeldOut, IsTheSameForASeedAlone) {
  const auto one = draw_held_out(100, 20, 7);
  EXPECT_EQ(std::count(one.begin(), one.end(), true), 20);
  EXPECT_EQ(one, draw_held_out(100, 20, 7));
  EXPECT_NE(one, draw_held_out(100, 20, 8));
}

TEST(DrawScaffolds, TakesWholeScaffoldsAndNeverALargeOne) {
  std::vector<std::string> scaffolds(60, "large");
  for (int i = 0; i < 80; ++i) {
    scaffolds.push_back("small " + std::to_string(i / 4));
  }
  const auto held = draw_scaffolds(scaffolds, 40, 1);
  EXPECT_EQ(std::count(held.begin(), held.end(), true), 40);
  std::map<std::string, std::pair<int, int>> seen;
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    (held[i] ? seen[scaffolds[i]].first : seen[scaffolds[i]].second) += 1;
  }
  for (const auto& [scaffold, counts] : seen) {
    EXPECT_TRUE(counts.first == 0 || counts.second == 0) << scaffold;
  }
  EXPECT_EQ(seen["large"].first, 0);
}

TEST(DrawScaffolds, AreCounted) {
  std::vector<std::string> scaffolds;
  for (std::size_t i = 0; i < 100; ++i) {
    scaffolds.push_back(std::to_string(i / 2));
  }
  scaffolds.insert(scaffolds.end(), 2, "0");
  const DrawnScaffolds all_but_one = count_drawn_scaffolds(scaffolds, 99, 1);
  EXPECT_EQ(all_but_one.scaffolds, 49U);
  EXPECT_EQ(all_but_one.largest, 4U);
  EXPECT_EQ(count_drawn_scaffolds({"a", "a", "a"}, 3, 1).scaffolds, 0U);
}

/// Earlier versions used a single scaffold as the complete calibration.
TEST(DrawScaffolds, DrawsNoneWhereTheyAreTooFew) {
  std::vector<std::string> scaffolds;
  for (std::size_t i = 0; i < 400; ++i) {
    scaffolds.push_back(std::to_string(i / 4));
  }
  EXPECT_EQ(count_drawn_scaffolds(scaffolds, 4, 1).scaffolds, 0U);
  EXPECT_EQ(count_drawn_scaffolds(scaffolds, 4 * (kMinHeldOutScaffolds - 1), 1).scaffolds, 0U);
  EXPECT_EQ(count_drawn_scaffolds(scaffolds, 4 * kMinHeldOutScaffolds, 1).scaffolds, kMinHeldOutScaffolds);
  const auto held = draw_scaffolds(scaffolds, 4, 1);
  EXPECT_EQ(std::count(held.begin(), held.end(), true), 0);
}

TEST(DrawScaffolds, DrawsNoneWhereAllAreOneScaffold) {
  const auto held = draw_scaffolds(std::vector<std::string>(10, "one"), 2, 0);
  EXPECT_EQ(std::count(held.begin(), held.end(), true), 0);
}

TEST(ScaffoldFolds, KeepScaffoldsTogetherAndFoldsEven) {
  std::vector<std::string> scaffolds;
  for (int i = 0; i < 100; ++i) {
    scaffolds.push_back(std::to_string(i / 4));
  }
  const auto folds = scaffold_folds(scaffolds, 5, 0);
  std::map<std::size_t, int> sizes;
  for (std::size_t i = 0; i < 100; ++i) {
    ++sizes[folds[i]];
    EXPECT_EQ(folds[i], folds[i / 4 * 4]);
  }
  for (const auto& [fold, size] : sizes) {
    EXPECT_EQ(size, 20);
  }
}

}  // namespace
}  // namespace headroom::domain
