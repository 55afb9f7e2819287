#include "molecules/baselines/detectors/nearest_neighbours.h"

#include <limits>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/baselines/detectors/ledoit_wolf.h"
#include "molecules/baselines/detectors/neighbour_detectors.h"

namespace molgauge::baselines {
namespace {

at::Tensor random(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::detail::createCPUGenerator(seed));
}

/// Returns the distances of all queries to all points, computed in float64.
at::Tensor all_distances(const at::Tensor& queries, const at::Tensor& points) {
  return (queries.to(at::kDouble).unsqueeze(1) - points.to(at::kDouble)).square().sum(2).sqrt();
}

TEST(NearestNeighbours, EqualSorting) {
  const at::Tensor points = random({3000, 9}, 1), queries = random({37, 9}, 2);
  const auto [expected, order] = all_distances(queries, points).sort(1);
  const NearestNeighbours search(points);
  for (const std::size_t k : {1U, 8U, 3000U}) {
    const Neighbours found = search.find(queries, k);
    for (std::size_t i = 0; i < 37 * k; ++i) {
      const auto row = static_cast<std::int64_t>(i / k), column = static_cast<std::int64_t>(i % k);
      ASSERT_NEAR(found.distances[i], expected[row][column].item<double>(), 1e-5) << i;
    }
  }
  for (const std::int64_t batch : {1, 5, 6, 7}) {
    EXPECT_EQ(search.find(queries.narrow(0, 5, batch), 4).index[0], order[5][0].item<std::int64_t>());
  }
}

/// Norms and products cancel here because the points are far from the origin and close to each other.
TEST(NearestNeighbours, AreExactWhereNormsCancel) {
  const at::Tensor points = random({50, 4}, 3) * 1e-2 + 30;
  const Neighbours found = NearestNeighbours(points).find(points, 1);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(found.distances[i], 0);
    EXPECT_EQ(found.index[i], static_cast<std::int32_t>(i));
  }
}

/// A search in rounded coordinates must not miss neighbours in any of three cases. A few points are a
/// thousand times farther out. Many points differ by less than the rounding. Some queries are far outside.
TEST(NearestNeighbours, AreExactWhereRoundedCoordinatesCannotTell) {
  at::Tensor points = random({2000, 7}, 11);
  points.narrow(0, 0, 5).mul_(1000);
  points.narrow(0, 1000, 500).mul_(1e-5).add_(0.3);
  points.narrow(0, 1990, 10).copy_(points.narrow(0, 1000, 10));
  const at::Tensor queries = at::cat({random({20, 7}, 12), random({20, 7}, 13) * 500,
                                      random({20, 7}, 14) * 1e-5 + 0.3, points.narrow(0, 995, 20)});
  const NearestNeighbours search(points);
  const at::Tensor centre = points.mean(0);
  const auto [expected, order] = all_distances(queries - centre, points - centre).sort(true, 1, false);
  for (const std::size_t k : {1U, 13U, 700U}) {
    const Neighbours found = search.find(queries, k);
    for (std::size_t i = 0; i < found.distances.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i / k), column = static_cast<std::int64_t>(i % k);
      const auto distance = expected[row][column].item<double>();
      ASSERT_NEAR(found.distances[i], distance, 1e-6 * distance + 1e-30) << k << " " << i;
    }
  }
}

/// The neighbours of a query do not depend on the other queries, even if the last panel and a group of
/// queries are incomplete.
TEST(NearestNeighbours, DoNotDependOnTheOtherQueries) {
  const at::Tensor points = random({333, 64}, 15), queries = random({31, 64}, 16);
  const NearestNeighbours search(points);
  const Neighbours together = search.find(queries, 10);
  for (std::int64_t i = 0; i < 31; ++i) {
    const Neighbours alone = search.find(queries.narrow(0, i, 1), 10);
    for (std::size_t j = 0; j < 10; ++j) {
      const std::size_t place = static_cast<std::size_t>(i) * 10 + j;
      ASSERT_EQ(alone.index[j], together.index[place]);
      ASSERT_EQ(alone.distances[j], together.distances[place]);
    }
  }
}

TEST(NearestNeighbours, OfEqualPointsAreTheFirst) {
  const NearestNeighbours search(at::ones({100, 3}));
  EXPECT_EQ(search.find(at::ones({1, 3}), 3).index, (std::vector<std::int32_t>{0, 1, 2}));
}

TEST(NearestNeighbours, RefuseWhatIsNotFinite) {
  at::Tensor rows = random({20, 3}, 17);
  const NearestNeighbours search(rows.clone());
  rows[4][1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(search.find(rows, 2), InputError);
  EXPECT_THROW(NearestNeighbours(std::as_const(rows)), InputError);
}

TEST(NearestNeighbours, APointIsNotItsOwnNeighbourUnlessItsTwinIs) {
  at::Tensor points = random({40, 3}, 4);
  points[7] = points[3];
  const Neighbours found = NearestNeighbours(points).find_among_points(2, {16, 2});
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_NE(found.index[2 * i], static_cast<std::int32_t>(i));
    EXPECT_NE(found.index[2 * i + 1], static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(found.index[2 * 3], 7);
  EXPECT_EQ(found.distances[2 * 3], 0);
}

TEST(NearestNeighbours, RefusesMoreThanThereAre) {
  const NearestNeighbours search(random({5, 3}, 4));
  EXPECT_THROW(search.find(random({1, 3}, 5), 6), InputError);
  EXPECT_THROW(search.find(random({1, 3}, 5), 0), InputError);
  EXPECT_THROW(search.find_among_points(5, {}), InputError);
  EXPECT_THROW(NearestNeighbours(at::empty({0, 3})), InputError);
}

/// A grid has the same density everywhere inside. A point outside the grid has a lower density.
TEST(LocalOutlierFactor, IsOneInsideAndLargerOutside) {
  const at::Tensor line = at::arange(30, at::kFloat);
  const at::Tensor grid = at::cartesian_prod({line, line});
  const LocalOutlierFactor factor(grid, {.neighbours = 4}, {});
  const std::vector<float> found = factor.factors(at::tensor({15.0F, 15.0F, 45.0F, 45.0F}).view({2, 2}));
  EXPECT_NEAR(found[0], 1, 0.1);
  EXPECT_GT(found[1], 5);
}

TEST(Standardization, LeavesConstantColumnsAlone) {
  const at::Tensor rows = at::tensor({1.0F, 7.0F, 3.0F, 7.0F}).view({2, 2});
  const auto standard = Standardization::of(rows);
  EXPECT_TRUE(at::allclose(standard.apply(rows), at::tensor({-1.0F, 0.0F, 1.0F, 0.0F}).view({2, 2})));
}

/// Compares the result with the formula of Ledoit and Wolf for centred data, written out with complete
/// matrices.
TEST(LedoitWolf, EqualsTheFormulaWrittenOut) {
  const at::Tensor rows = random({5000, 6}, 6) * at::arange(1, 7, at::kFloat);
  const at::Tensor x = rows.to(at::kDouble);
  const double n = 5000, p = 6;
  const at::Tensor s = at::mm(x.t(), x) / n;
  const double mu = s.trace().item<double>() / p;
  const double fourth = at::mm(x.square().t(), x.square()).sum().item<double>() / n;
  const double squares = s.square().sum().item<double>();
  const double delta = (squares - 2 * mu * s.trace().item<double>() + p * mu * mu) / p;
  const double shrinkage = std::min((fourth - squares) / (n * p), delta) / delta;
  const ShrunkCovariance found = ledoit_wolf(rows);
  EXPECT_NEAR(found.shrinkage, shrinkage, 1e-12);
  EXPECT_TRUE(at::allclose(found.covariance, (1 - shrinkage) * s + shrinkage * mu * at::eye(6, at::kDouble)));
  EXPECT_THROW(ledoit_wolf(at::empty({0, 3})), InputError);
}

}  // namespace
}  // namespace molgauge::baselines
