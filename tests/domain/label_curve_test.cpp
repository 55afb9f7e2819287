#include "domain/label_curve.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "domain/ridge.h"
#include "made_up_molecules.h"

namespace headroom::domain {
namespace {

TEST(RidgeRegression, WithoutPenaltyFindsTheLine) {
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  std::vector<float> rows;
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) {
    rows.insert(rows.end(), {noise(random), noise(random), 5.0F});
    values.push_back(3 + 2 * rows[rows.size() - 3] - rows[rows.size() - 2]);
  }
  RidgeRegression ridge(rows, values, 3, 1);
  ridge.fit(1e-9);
  EXPECT_NEAR(ridge.predict(std::vector<float>{1, 1, 5}), 4, 1e-5);
  ridge.fit(1e9);
  EXPECT_NEAR(ridge.predict(std::vector<float>{1, 1, 5}), ridge.mean(), 1e-6);
}

/// The value is a curved function of the features, so a line misses more the farther away from the middle.
TEST(LabelCurve, ErrorsGrowWithTheDistanceWhereTheyDo) {
  std::mt19937 random(2);
  std::normal_distribution<float> noise;
  Molecules molecules;
  molecules.width = 4;
  std::vector<std::string> scaffolds;
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    double squares = 0;
    for (int j = 0; j < 4; ++j) {
      molecules.features.push_back(noise(random));
      squares += molecules.features.back() * molecules.features.back();
    }
    molecules.environments.append(std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 1}});
    scaffolds.push_back(std::to_string(i / 5));
    values.push_back(squares > 8 ? squares : 0);
  }
  const LabelCurve curve = measure_errors(molecules, scaffolds, values, Method::mahalanobis, 0, 2);
  EXPECT_EQ(curve.bins.size(), 10U);
  EXPECT_EQ(curve.molecules, 1000U);
  EXPECT_GT(curve.outer_tenth, 2 * curve.inner_half);
  EXPECT_LE(curve.bins.front().low, curve.bins.back().low);
  EXPECT_EQ(curve.expected_error(-1), curve.bins.front().error);
  EXPECT_EQ(curve.expected_error(1e9), curve.bins.back().error);
}

TEST(LabelCurve, LeavesOutMoleculesWithoutAValueAndRefusesTooFew) {
  std::mt19937 random(3);
  const Molecules molecules = made_up_molecules(200, random);
  std::vector<double> values(200, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(measure_errors(molecules, made_up_scaffolds(200), values, Method::knn, 0, 1), InputError);
  for (std::size_t i = 0; i < 120; ++i) {
    values[i] = static_cast<double>(i % 7);
  }
  EXPECT_EQ(measure_errors(molecules, made_up_scaffolds(200), values, Method::knn, 0, 1).molecules, 120U);
  EXPECT_THROW(measure_errors(molecules, std::vector<std::string>(200), values, Method::knn, 0, 1),
               InputError);
}

}  // namespace
}  // namespace headroom::domain
