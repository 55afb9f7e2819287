#include "memory/plan/load_formula.h"

#include <vector>

#include <gtest/gtest.h>

namespace headroom::memory {
namespace {

const std::vector<BatchLoad> kLoads = {
    {2, 61, 130, 1901}, {3, 70, 144, 1700}, {5, 41, 80, 361}, {4, 90, 190, 2300}};

template <typename Size>
std::vector<std::uint64_t> sizes_of(Size size) {
  std::vector<std::uint64_t> sizes;
  for (const BatchLoad& load : kLoads) {
    sizes.push_back(size(load));
  }
  return sizes;
}

TEST(ExplainSizes, FindsTheFewestTerms) {
  const auto sizes = sizes_of([](const BatchLoad& load) { return 336 * 4 * load.atoms; });
  const auto formula = explain_sizes(kLoads, sizes);
  ASSERT_TRUE(formula);
  EXPECT_NEAR(formula->at({100, 100'000, 5, 7}), 336.0 * 4 * 100'000, 1);
}

TEST(ExplainSizes, FindsConstantsAndSumsOfTerms) {
  const auto constant = explain_sizes(kLoads, sizes_of([](const BatchLoad&) { return 1024; }));
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->at({1000, 1000, 1000, 1000}), 1024);

  const auto places =
      explain_sizes(kLoads, sizes_of([](const BatchLoad& load) { return 8 * (load.atoms + 1); }));
  ASSERT_TRUE(places);
  EXPECT_NEAR(places->at({1, 999'999, 0, 0}), 8e6, 1);

  const auto sum = explain_sizes(kLoads, sizes_of([](const BatchLoad& load) {
                                   return 64 * load.pairs + 12 * load.atoms + 4 * load.items;
                                 }));
  ASSERT_TRUE(sum);
  EXPECT_NEAR(sum->at({10, 1000, 0, 100'000}), 6'412'040, 1);
}

TEST(ExplainSizes, DoesNotMakeUpAnExplanation) {
  EXPECT_FALSE(explain_sizes(kLoads, std::vector<std::uint64_t>{4096, 12'000, 5000, 800}));
}

TEST(ExplainSizes, CopesWithBatchesOfEqualItems) {
  const std::vector<BatchLoad> alike = {{2, 40, 80, 800}, {3, 60, 120, 1200}, {5, 100, 200, 2000}};
  const auto formula = explain_sizes(alike, std::vector<std::uint64_t>{4000, 6000, 10'000});
  ASSERT_TRUE(formula);
  EXPECT_NEAR(formula->at({50, 1000, 2000, 20'000}), 100'000, 1);
}

TEST(CoverSizes, LiesBelowNoSizeAndNear) {
  const std::vector<std::uint64_t> sizes = {6300, 7010, 4290, 9120};
  const LoadFormula formula = cover_sizes(kLoads, sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_GE(formula.at(kLoads[i]), static_cast<double>(sizes[i]) - 0.5);
    EXPECT_LE(formula.at(kLoads[i]), 1.1 * static_cast<double>(sizes[i]));
  }
  for (const double bytes : formula.bytes_per) {
    EXPECT_GE(bytes, 0);
  }
}

TEST(CoverSizes, TakesNothingForFreeWhereAllBatchesAreAlike) {
  const std::vector<BatchLoad> alike(2, BatchLoad{2, 40, 80, 800});
  const LoadFormula formula = cover_sizes(alike, std::vector<std::uint64_t>{4000, 3900});
  EXPECT_EQ(formula.at({4, 80, 160, 1600}), 8000);
}

}  // namespace
}  // namespace headroom::memory
