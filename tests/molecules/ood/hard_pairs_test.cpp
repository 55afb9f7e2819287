#include "molecules/ood/losses/hard_pairs.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

TEST(HardPairs, OfOneDifference) {
  const std::vector<float> id = {1}, ood = {0};  // every pair has the difference 1, in the wrong direction
  const HardPairs found = validate_hard_pairs(id, ood, 2, 100, 1);
  const double weight = 2 / (1 + std::exp(-2.0));
  EXPECT_EQ(found.hard.count, 100U);
  EXPECT_EQ(found.easy.count, 0U);
  EXPECT_EQ(found.easy.mean_weight, 0);
  EXPECT_EQ(found.boundary.count, 0U);
  EXPECT_NEAR(found.hard.mean_weight, weight, 1e-12);
  EXPECT_NEAR(found.hard_share_of_weight, 1, 1e-12);
  ASSERT_EQ(found.bins.size(), 20U);
  EXPECT_EQ(found.bins[10].count, 100U) << "half a unit of room on either side";
}

/// Computes the weights from their definition. The sample is large enough to contain each of four pairs.
TEST(HardPairs, SharesAndWeightsAreThoseOfTheSample) {
  const std::vector<float> id = {0, 0.02F}, ood = {-1, 0.04F};
  const HardPairs found = validate_hard_pairs(id, ood, 0.5, 40000, 7);
  EXPECT_NEAR(found.hard.share, 0.5, 0.02);
  EXPECT_NEAR(found.easy.share, 0.5, 0.02);
  EXPECT_NEAR(found.boundary.share, 0.5, 0.02);
  EXPECT_EQ(found.hard.count + found.easy.count, found.pairs);
  const auto weight = [](double d) { return 0.5 / (1 + std::exp(0.5 * d)); };
  EXPECT_NEAR(found.hard.mean_weight, (weight(-1) + weight(-1.02)) / 2, 1e-3);
  EXPECT_NEAR(found.easy.mean_weight, (weight(0.04) + weight(0.02)) / 2, 1e-3);
  EXPECT_NEAR(found.mean_weight,
              found.hard.share * found.hard.mean_weight + found.easy.share * found.easy.mean_weight, 1e-12);
  EXPECT_GT(found.hard.mean_weight, found.easy.mean_weight);
}

TEST(HardPairs, BinsLieBetweenThePercentiles) {
  std::vector<float> id = {0}, ood(1001);
  std::iota(ood.begin(), ood.end(), -500.0F);
  const HardPairs found = validate_hard_pairs(id, ood, 0.1, 100000, 3);
  EXPECT_NEAR(found.bins.front().low, -490, 3);
  EXPECT_NEAR(found.bins.back().high, 490, 3);
  std::size_t inside = 0;
  for (std::size_t i = 0; i < found.bins.size(); ++i) {
    inside += found.bins[i].count;
    if (i > 0) {
      EXPECT_EQ(found.bins[i].low, found.bins[i - 1].high);
      EXPECT_LT(found.bins[i].mean_weight, found.bins[i - 1].mean_weight) << "easier pairs weigh less";
    }
  }
  EXPECT_NEAR(static_cast<double>(inside) / 100000, 0.98, 0.002);
}

TEST(HardPairs, SameSeedSameSample) {
  const std::vector<float> id = {0, 1, 2, 3}, ood = {0.5F, 1.5F, 2.5F};
  const HardPairs first = validate_hard_pairs(id, ood, 0.1, 500, 4);
  EXPECT_EQ(validate_hard_pairs(id, ood, 0.1, 500, 4).hard.count, first.hard.count);
  EXPECT_EQ(validate_hard_pairs(id, ood, 0.1, 500, 4).mean_difference, first.mean_difference);
  EXPECT_NE(validate_hard_pairs(id, ood, 0.1, 500, 5).mean_difference, first.mean_difference);
}

TEST(HardPairs, EnergiesFarApartDoNotOverflow) {
  const std::vector<float> id = {-1e30F}, ood = {1e30F};
  const HardPairs easy = validate_hard_pairs(id, ood, 10, 10, 1);
  EXPECT_EQ(easy.easy.mean_weight, 0);
  EXPECT_EQ(easy.hard_share_of_weight, 0);
  EXPECT_EQ(validate_hard_pairs(ood, id, 10, 10, 1).hard.mean_weight, 10);
}

TEST(HardPairs, AreWrittenWithTheirBins) {
  const test::TemporaryFolder folder;
  const std::vector<float> id = {0, 1}, ood = {0.5F, 2};
  write_hard_pairs(folder.path(), validate_hard_pairs(id, ood, 0.1, 50, 1));
  const auto fields = nlohmann::json::parse(read_file(folder / "hard_pair_validation.json"));
  EXPECT_EQ(fields["pairs"], 50);
  EXPECT_EQ(fields["bins"].size(), 20U);
  for (const char* group : {"hard", "easy", "boundary"}) {
    EXPECT_TRUE(fields[group].contains("ratio") && fields[group].contains("mean_weight")) << group;
  }
}

}  // namespace
}  // namespace molgauge::ood
