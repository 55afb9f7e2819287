#include <cmath>

#include <gmock/gmock.h>

#include "molecules/baselines/detectors/neighbour_detectors.h"

namespace molgauge::baselines {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;

constexpr std::int64_t kWidth = 6;

/// Points without repetitions.
at::Tensor scattered(std::int64_t rows) {
  return (at::arange(rows * kWidth, at::kFloat) * 12.9898).sin().mul(3).reshape({rows, kWidth});
}

std::vector<float> factors(const at::Tensor& points, const at::Tensor& queries, std::size_t neighbours) {
  return LocalOutlierFactor(points, {neighbours}, {}).factors(queries);
}

/// Computes the factors directly from the published formula.
std::vector<double> published_factors(const at::Tensor& points, const at::Tensor& queries, std::int64_t k) {
  const at::Tensor wide = points.to(at::kDouble);
  const auto [among, among_index] = at::cdist(wide, wide).topk(k + 1, 1, /*largest=*/false);
  const at::Tensor reach = among.select(1, k);
  const auto density = [&](const at::Tensor& distance, const at::Tensor& index) {
    return 1 / (at::maximum(distance, reach.index({index})).mean(1) + 1e-10);
  };
  const at::Tensor densities = density(among.slice(1, 1), among_index.slice(1, 1));
  const auto [distance, index] = at::cdist(queries.to(at::kDouble), wide).topk(k, 1, /*largest=*/false);
  const at::Tensor result = densities.index({index}).mean(1) / density(distance, index);
  return {result.data_ptr<double>(), result.data_ptr<double>() + result.numel()};
}

TEST(LocalOutlierFactor, IsThePublishedOneWherePointsLieApart) {
  const at::Tensor points = scattered(60), queries = scattered(80).slice(0, 60) + 0.3;
  const std::vector<float> found = factors(points, queries, 5);
  const std::vector<double> expected = published_factors(points, queries, 5);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-5 * expected[i]) << i;
  }
}

/// A third of the points coincide, exactly or up to rounding.
TEST(LocalOutlierFactor, StaysOfOrdinarySizeNearPointsThatCoincide) {
  for (const float noise : {0.0F, 1e-7F, 1e-5F}) {
    SCOPED_TRACE(noise);
    at::Tensor points = scattered(60);
    points.slice(0, 0, 20).copy_(points[0] + noise * scattered(20));
    const at::Tensor queries = at::cat({points[0].unsqueeze(0), points[0] + 0.1 * scattered(10)});
    const std::vector<float> found = factors(points, queries, 5);
    EXPECT_NEAR(found[0], 1, 1e-3) << "among them";
    EXPECT_THAT(found, Each(AllOf(Ge(0.5F), Le(200.0F))));
    EXPECT_GT(found[5], 2) << "apart from them";
    EXPECT_GT(published_factors(points, queries, 5)[5], 1e3) << "the rule that this one replaces";
  }
}

TEST(LocalOutlierFactor, GrowsWithTheDistanceWhereAllPointsCoincide) {
  const at::Tensor points = at::zeros({30, kWidth});
  const at::Tensor queries =
      at::tensor({0.0F, 2.0F, 5.0F}).unsqueeze(1).repeat({1, kWidth}) / std::sqrt(6.0F);
  EXPECT_THAT(
      factors(points, queries, 20),
      testing::ElementsAre(testing::FloatEq(1), testing::FloatNear(2, 1e-5F), testing::FloatNear(5, 1e-5F)));
}

}  // namespace
}  // namespace molgauge::baselines
