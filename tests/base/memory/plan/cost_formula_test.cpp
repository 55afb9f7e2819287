#include "base/memory/plan/cost_formula.h"

#include <vector>

#include <gtest/gtest.h>

namespace molgauge::memory {
namespace {

const std::vector<Cost> kCosts = {
    {2, 61, 1901, 130}, {3, 70, 1700, 144}, {5, 41, 361, 80}, {4, 90, 2300, 190}};

template <typename Size>
std::vector<std::uint64_t> sizes_of(Size size) {
  std::vector<std::uint64_t> sizes;
  for (const Cost& cost : kCosts) {
    sizes.push_back(size(cost));
  }
  return sizes;
}

TEST(ExplainSizes, FindsTheFewestTerms) {
  const auto sizes = sizes_of([](const Cost& cost) { return 336 * 4 * cost.tokens; });
  const auto formula = explain_sizes(kCosts, sizes);
  ASSERT_TRUE(formula);
  EXPECT_NEAR(formula->at({100, 100'000, 5, 7}), 336.0 * 4 * 100'000, 1);
}

TEST(ExplainSizes, FindsConstantsAndSumsOfTerms) {
  const auto constant = explain_sizes(kCosts, sizes_of([](const Cost&) { return 1024; }));
  ASSERT_TRUE(constant);
  EXPECT_EQ(constant->at({1000, 1000, 1000, 1000}), 1024);

  const auto places = explain_sizes(kCosts, sizes_of([](const Cost& cost) { return 8 * (cost.tokens + 1); }));
  ASSERT_TRUE(places);
  EXPECT_NEAR(places->at({1, 999'999, 0, 0}), 8e6, 1);

  const auto sum = explain_sizes(
      kCosts, sizes_of([](const Cost& cost) { return 64 * cost.pairs + 12 * cost.tokens + 4 * cost.items; }));
  ASSERT_TRUE(sum);
  EXPECT_NEAR(sum->at({10, 1000, 100'000, 0}), 6'412'040, 1);
}

TEST(ExplainSizes, DoesNotMakeUpAnExplanation) {
  EXPECT_FALSE(explain_sizes(kCosts, std::vector<std::uint64_t>{4096, 12'000, 5000, 800}));
}

TEST(ExplainSizes, CopesWithBatchesOfEqualItems) {
  const std::vector<Cost> alike = {{2, 40, 800, 80}, {3, 60, 1200, 120}, {5, 100, 2000, 200}};
  const auto formula = explain_sizes(alike, std::vector<std::uint64_t>{4000, 6000, 10'000});
  ASSERT_TRUE(formula);
  EXPECT_NEAR(formula->at({50, 1000, 20'000, 2000}), 100'000, 1);
}

TEST(CoverSizes, LiesBelowNoSizeAndNear) {
  const std::vector<std::uint64_t> sizes = {6300, 7010, 4290, 9120};
  const CostFormula formula = cover_sizes(kCosts, sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_GE(formula.at(kCosts[i]), static_cast<double>(sizes[i]) - 0.5);
    EXPECT_LE(formula.at(kCosts[i]), 1.1 * static_cast<double>(sizes[i]));
  }
  for (const double bytes : formula.bytes_per) {
    EXPECT_GE(bytes, 0);
  }
}

TEST(CoverSizes, TakesNothingForFreeWhereAllBatchesAreAlike) {
  const std::vector<Cost> alike(2, Cost{2, 40, 800, 80});
  const CostFormula formula = cover_sizes(alike, std::vector<std::uint64_t>{4000, 3900});
  EXPECT_EQ(formula.at({4, 80, 1600, 160}), 8000);
}

}  // namespace
}  // namespace molgauge::memory
