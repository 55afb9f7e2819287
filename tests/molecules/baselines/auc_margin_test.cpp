#include "molecules/baselines/classifier/auc_margin.h"

#include <limits>

#include <gtest/gtest.h>

#include "molecules/baselines/classifier/classifier_loss.h"

namespace molgauge::baselines {
namespace {

const float kUnknown = std::numeric_limits<float>::quiet_NaN();

TEST(AucMargin, GradientIsTheSlopeOfTheLoss) {
  const std::vector<float> scores = {0.3F, -0.8F, 1.2F, 0.1F, 5}, labels = {1, 0, 0, 1, kUnknown};
  const AucMarginVariables at{0.4, -0.2, 0.3};
  std::vector<float> gradient(5), unused(5);
  const AucMarginValue value = auc_margin_loss(scores, labels, at, 1, gradient);
  constexpr double kStep = 1e-3;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    auto moved = scores;
    moved[i] += static_cast<float>(kStep);
    const double up = auc_margin_loss(moved, labels, at, 1, unused).loss;
    EXPECT_NEAR((up - value.loss) / kStep, gradient[i], 1e-3) << i;
  }
  EXPECT_EQ(gradient[4], 0);
  const auto slope = [&](AucMarginVariables moved) {
    return (auc_margin_loss(scores, labels, moved, 1, unused).loss - value.loss) / kStep;
  };
  EXPECT_NEAR(slope({at.a + kStep, at.b, at.alpha}), value.gradient.a, 1e-3);
  EXPECT_NEAR(slope({at.a, at.b + kStep, at.alpha}), value.gradient.b, 1e-3);
  EXPECT_NEAR(slope({at.a, at.b, at.alpha + kStep}), value.gradient.alpha, 1e-3);
}

TEST(AucMargin, NothingKnownIsNoLoss) {
  std::vector<float> gradient(1, 7.0F);
  EXPECT_EQ(auc_margin_loss(std::vector{2.0F}, std::vector{kUnknown}, {0.1, 0.2, 0.3}, 1, gradient).loss, 0);
  EXPECT_EQ(gradient[0], 0);
}

TEST(Pesg, FirstStepIsPlainDescent) {
  PesgOptions options;
  options.weight_decay = options.epoch_decay = 0;
  Pesg optimizer({0, 0}, {{}}, options);
  std::vector<float> parameters = {1, 2};
  // The second gradient is clamped.
  optimizer.step(parameters, std::vector{0.5F, 30.0F}, std::vector<AucMarginVariables>{{-0.2, 0.4, 0}});
  EXPECT_FLOAT_EQ(parameters[0], 0.95F);
  EXPECT_FLOAT_EQ(parameters[1], 1.9F);
  const AucMarginVariables& now = optimizer.variables()[0];
  EXPECT_DOUBLE_EQ(now.a, 0.02);
  EXPECT_DOUBLE_EQ(now.b, -0.04);
  EXPECT_DOUBLE_EQ(now.alpha, 0.1 * 2 * (1 - 0.04 - 0.02));
}

TEST(ClassifierLoss, CrossEntropyOfEqualLogits) {
  const std::vector<float> logits = {1, 1, 1, 1}, labels = {0, 1};
  std::vector<float> gradient(4);
  EXPECT_NEAR(cross_entropy({logits.data(), labels.data(), 2, 2}, gradient.data()), std::log(2.0), 1e-6);
  EXPECT_EQ(gradient, (std::vector<float>{-0.25F, 0.25F, 0.25F, -0.25F}));
}

TEST(ClassifierLoss, UnknownTasksDoNotCount) {
  const std::vector<float> logits = {0, 9, 0, 0}, labels = {1, kUnknown, 0, kUnknown};
  std::vector<float> gradient(4);
  const double loss =
      masked_binary_cross_entropy({logits.data(), labels.data(), 2, 2}, {3, 1}, gradient.data());
  EXPECT_NEAR(loss, (3 * std::log(2.0) + std::log(2.0)) / 2, 1e-6);
  EXPECT_EQ(gradient, (std::vector<float>{-0.75F, 0, 0.25F, 0}));
}

}  // namespace
}  // namespace molgauge::baselines
