#include "molecules/verbs/domain/domain_levels.h"

#include <gtest/gtest.h>

namespace molgauge::verbs {
namespace {

/// The distances 1 to 999, so that 10 of 1,000 molecules are outside at 0.01 and 50 are above 0.05.
domain::Calibration calibration_with(std::vector<float> scaffold) {
  domain::Calibration calibration;
  for (int i = 1; i < 1000; ++i) {
    calibration.left_out.push_back(static_cast<float>(i));
  }
  calibration.scaffold = std::move(scaffold);
  return calibration;
}

TEST(FalseAlarms, TwoNumbersHaveTwoAssumptions) {
  // Of ten molecules with held-out scaffolds, one is outside and two more are borderline.
  const auto calibration = calibration_with({1, 2, 3, 4, 5, 6, 7, 970, 980, 995});
  EXPECT_EQ(
      false_alarms(calibration, {.outside = 0.01, .borderline = 0.05}, {200, 150}),
      "If all 200 candidates were like the training molecules, about 2 would be outside and 8 borderline by "
      "chance. If all had new scaffolds of the same chemistry, about 20 would be "
      "outside and 40 borderline. 150 candidates have a new scaffold.");
  EXPECT_EQ(
      false_alarms(calibration, {.outside = 0.01, .borderline = 0.05}, {1, 1}),
      "If the candidate were like the training molecules, about 0.01 would be outside and 0.04 borderline by "
      "chance. If it had a new scaffold of the same chemistry, about 0.1 would be "
      "outside and 0.2 borderline. 1 candidate has a new scaffold.");
}

TEST(FalseAlarms, WithoutHeldOutScaffoldsThereIsOneNumber) {
  EXPECT_EQ(false_alarms(calibration_with({}), {.outside = 0.01, .borderline = 0.05}, {5, 5}),
            "If all 5 candidates were like the training molecules, about 0.05 would be outside and 0.2 "
            "borderline by "
            "chance.");
}

}  // namespace
}  // namespace molgauge::verbs
