#include "molecules/verbs/predictions/prediction_facts.h"

#include <gtest/gtest.h>

namespace molgauge::verbs {
namespace {

/// A classifier whose probabilities are too high: molecules of class 1 have probabilities from 0.7 to 1, and
/// molecules of class 0 from 0.4 to 0.9.
domain::PredictionCalibration overconfident() {
  std::vector<domain::CalibrationMolecule> molecules(400);
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const double place = static_cast<double>(i % 100) / 100;
    molecules[i].scaffold = std::to_string(i % 50);
    molecules[i].measured = i < 200 ? 1 : 0;
    molecules[i].predicted.value = i < 200 ? 0.7 + 0.3 * place : 0.4 + 0.5 * place;
  }
  return {molecules, {.columns = {"active", "p", "", "", ""}}};
}

CandidatePredictions::Judged judged(const domain::PredictionCalibration& calibration, double prediction) {
  return {{.value = prediction}, calibration.judge({.value = prediction}, {})};
}

TEST(PredictionFacts, TheOrdersHaveNames) {
  const auto calibration = overconfident();
  const auto names = prediction_order_names(calibration);
  const auto numbers = prediction_orders(calibration, judged(calibration, 0.97));
  EXPECT_EQ(names, std::vector<std::string>({"prediction", "calibrated probability", "expected error"}));
  ASSERT_EQ(numbers.size(), names.size());
  EXPECT_EQ(numbers[0], 0.97);
  EXPECT_GT(numbers[1], 0.9);
  EXPECT_LT(numbers[2], 0.1);
}

}  // namespace
}  // namespace molgauge::verbs
