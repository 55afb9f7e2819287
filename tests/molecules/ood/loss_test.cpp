#include "molecules/ood/losses/loss.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "energies.h"

namespace molgauge::ood {
namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Loss, CrossEntropyWeighsEverySample) {
  const std::vector<float> id = {0.5F}, ood = {1.0F, -2.0F};
  LossOptions options;
  options.kind = Loss::bce;
  options.lambda_reg = 0;
  const double expected = -(std::log(1 - sigmoid(0.5)) + std::log(sigmoid(1)) + std::log(sigmoid(-2))) / 3;
  const LossValue value = energy_loss(id, ood, options, 1);
  EXPECT_NEAR(value.total, expected, 1e-14);
  EXPECT_NEAR(value.id_gradient[0], sigmoid(0.5) / 3, 1e-7);
  EXPECT_NEAR(value.ood_gradient[1], -sigmoid(2) / 3, 1e-7);
}

TEST(Loss, SquaredErrorWeighsEveryGroup) {
  const std::vector<float> id = {0.5F}, ood = {1.0F, -2.0F};
  LossOptions options;
  options.kind = Loss::mse;
  options.lambda_reg = 0;
  const double expected =
      std::pow(sigmoid(0.5), 2) + (std::pow(sigmoid(-1), 2) + std::pow(sigmoid(2), 2)) / 2;
  EXPECT_NEAR(energy_loss(id, ood, options, 1).total, expected, 1e-14);
}

TEST(Loss, EveryGradientIsTheSlopeOfTheTotal) {
  auto id = test::energies(7, 0.0, 1.0, 1), ood = test::energies(5, 0.5, 1.0, 2);
  for (const Loss kind : {Loss::dpo, Loss::bce, Loss::mse, Loss::hinge}) {
    SCOPED_TRACE(to_string(kind));
    LossOptions options;
    options.kind = kind;
    options.lambda_reg = 0.1;
    const LossValue value = energy_loss(id, ood, options, 1);
    const auto slope = [&](float& energy) {
      const float middle = energy, above = middle + 0x1p-12F, below = middle - 0x1p-12F;
      energy = above;
      const double total_above = energy_loss(id, ood, options, 1).total;
      energy = below;
      const double total_below = energy_loss(id, ood, options, 1).total;
      energy = middle;
      return (total_above - total_below) / (static_cast<double>(above) - below);
    };
    for (std::size_t i = 0; i < id.size(); ++i) {
      EXPECT_NEAR(value.id_gradient[i], slope(id[i]), 1e-5);
    }
    for (std::size_t j = 0; j < ood.size(); ++j) {
      EXPECT_NEAR(value.ood_gradient[j], slope(ood[j]), 1e-5);
    }
  }
}

TEST(Loss, PenaltyIsAddedToTheTotalOnly) {
  const std::vector<float> id = {1, 3}, ood = {2};
  LossOptions options;
  options.lambda_reg = 0.5;
  const LossValue value = energy_loss(id, ood, options, 1);
  EXPECT_NEAR(value.total - value.objective, 0.5 * (5 + 4), 1e-14);
  EXPECT_EQ(value.id_energy, 2);
  EXPECT_EQ(value.energy_separation(), 0);
}

TEST(Loss, ReportsPairsForDpoOnly) {
  const std::vector<float> id = {1, 3}, ood = {2};
  LossOptions options;
  EXPECT_TRUE(energy_loss(id, ood, options, 1).pairs.has_value());
  options.kind = Loss::hinge;
  EXPECT_FALSE(energy_loss(id, ood, options, 1).pairs.has_value());
}

TEST(Loss, RefusesEnergiesThatAreNotFinite) {
  const std::vector<float> good = {1, 3}, bad = {0, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_THROW(energy_loss(good, bad, {}, 1), Error);
  EXPECT_THROW(energy_loss(bad, good, {}, 1), Error);
  EXPECT_THROW(energy_loss({}, good, {}, 1), Error);
}

}  // namespace
}  // namespace molgauge::ood
