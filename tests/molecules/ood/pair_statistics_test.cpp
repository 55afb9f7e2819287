#include "molecules/ood/losses/pair_statistics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "energies.h"

namespace molgauge::ood {
namespace {

TEST(PairStatistics, EqualsCountingPairByPair) {
  const auto id = test::energies(83, 0.0, 0.05, 1), ood = test::energies(57, 0.01, 0.05, 2);
  std::size_t misranked = 0, boundary = 0;
  double margin = 0;
  for (const float a : id) {
    for (const float b : ood) {
      const float d = b - a;
      misranked += d < 0 ? 1 : 0;
      boundary += std::abs(d) < 0.05F ? 1 : 0;
      margin += static_cast<double>(b) - static_cast<double>(a);
    }
  }
  const double pairs = 83.0 * 57.0;
  const PairStatistics statistics = pair_statistics(id, ood);
  EXPECT_EQ(statistics.misranked_ratio, static_cast<double>(misranked) / pairs);
  EXPECT_EQ(statistics.boundary_ratio, static_cast<double>(boundary) / pairs);
  EXPECT_NEAR(statistics.avg_margin, margin / pairs, 1e-15);
}

TEST(PairStatistics, EqualEnergiesAreBoundaryPairsAndNotMisranked) {
  const std::vector<float> same = {1, 1, 1};
  const PairStatistics statistics = pair_statistics(same, same);
  EXPECT_EQ(statistics.misranked_ratio, 0);
  EXPECT_EQ(statistics.boundary_ratio, 1);
  EXPECT_EQ(statistics.avg_margin, 0);
}

}  // namespace
}  // namespace molgauge::ood
