#include "molecules/ood/metrics/curves.h"

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/ood/metrics/metrics.h"

namespace molgauge::ood {
namespace {

using Scores = std::vector<float>;

const Scores kId = {0.1F, 0.4F, 0.4F, 0.9F, 0.2F, 0.2F}, kOod = {0.4F, 0.8F, 0.9F, 0.3F};

double area_by_trapezoids(const std::vector<CurvePoint>& curve) {
  double area = 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    area += (curve[i].x - curve[i - 1].x) * (curve[i].y + curve[i - 1].y) / 2;
  }
  return area;
}

TEST(Curves, RocHasEveryDistinctScoreAndTheAreaOfTheMetric) {
  const auto curve = roc_curve(kId, kOod);
  ASSERT_EQ(curve.size(), 7U);
  EXPECT_EQ(curve.front().x, 0);
  EXPECT_EQ(curve.front().y, 0);
  EXPECT_DOUBLE_EQ(curve[1].x, 1.0 / 6);
  EXPECT_DOUBLE_EQ(curve[1].y, 0.25);
  EXPECT_FLOAT_EQ(static_cast<float>(curve[1].threshold), 0.9F);
  EXPECT_EQ(curve.back().x, 1);
  EXPECT_EQ(curve.back().y, 1);
  EXPECT_NEAR(area_by_trapezoids(curve), detection_metrics(std::span(kId), std::span(kOod)).auroc, 1e-12);
}

TEST(Curves, PrecisionRecallHasTheAreaOfTheMetric) {
  const auto curve = precision_recall_curve(kId, kOod);
  EXPECT_EQ(curve.front().y, 1);
  EXPECT_DOUBLE_EQ(curve.back().y, 0.4);
  EXPECT_NEAR(area_by_trapezoids(curve), detection_metrics(std::span(kId), std::span(kOod)).aupr, 1e-12);
}

TEST(Curves, NeedBothGroups) {
  EXPECT_THROW(roc_curve({}, kOod), InputError);
  EXPECT_THROW(precision_recall_curve(kId, {}), InputError);
}

}  // namespace
}  // namespace molgauge::ood
