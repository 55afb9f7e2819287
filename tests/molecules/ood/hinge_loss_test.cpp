#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "energies.h"
#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

double hinge(double id, double ood, const HingeOptions& options) {
  const double h = std::max(0.0, options.margin - (ood - id));
  return options.squared ? h * h : h;
}

/// Computes the loss from its definition, with the list of all n x m pairs.
double pair_by_pair(std::span<const float> id, std::span<const float> ood, const HingeOptions& options) {
  std::vector<double> values;
  for (const float a : id) {
    for (const float b : ood) {
      values.push_back(hinge(a, b, options));
    }
  }
  std::sort(values.rbegin(), values.rend());
  if (options.topk > 0) {
    const double share = std::floor(static_cast<double>(values.size()) * std::min(options.topk, 1.0));
    values.resize(static_cast<std::size_t>(std::max(1.0, share)));
  }
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

const std::vector<HingeOptions> kOptions = {
    {1.0, 0, false}, {1.0, 0, true},     {1.0, 0.25, false}, {0.3, 0.5, true}, {-0.5, 0.9, true},
    {1.0, 7, false}, {1.0, 1e-9, false}, {-50, 0.1, false},  {50, 0.1, true},  {0.0, 0.3, false}};

TEST(HingeLoss, EqualsTheDefinition) {
  const auto id = test::energies(67, 0.0, 1.0, 1), ood = test::energies(91, 0.5, 2.0, 2);
  for (const HingeOptions& options : kOptions) {
    const double expected = pair_by_pair(id, ood, options);
    EXPECT_NEAR(hinge_loss(id, ood, options).value, expected, 1e-12 * (1 + expected))
        << options.margin << ' ' << options.topk << ' ' << options.squared;
  }
}

TEST(HingeLoss, EqualsTheDefinitionWhenPairsTie) {
  const std::vector<float> id = {0, 0, 1, 1, 1, 2}, ood = {1, 1, 2, 0, 0};
  for (const HingeOptions& options : kOptions) {
    for (double topk = 0.02; topk < 1.1; topk += 0.02) {
      const HingeOptions chosen{options.margin, topk, options.squared};
      EXPECT_NEAR(hinge_loss(id, ood, chosen).value, pair_by_pair(id, ood, chosen), 1e-12) << topk;
    }
  }
}

TEST(HingeLoss, GradientIsTheSlopeOfTheValue) {
  const auto id = test::energies(13, 0.0, 1.0, 5), ood = test::energies(17, 0.5, 1.0, 6);
  const double step = 0x1p-14;  // a float in this range changes by almost exactly this step
  for (const HingeOptions& options : kOptions) {
    const LossTerm term = hinge_loss(id, ood, options);
    for (std::size_t i = 0; i < id.size(); ++i) {
      auto above = id, below = id;
      above[i] += static_cast<float>(step);
      below[i] -= static_cast<float>(step);
      const double change = hinge_loss(above, ood, options).value - hinge_loss(below, ood, options).value;
      EXPECT_NEAR(term.id_gradient[i], change / (static_cast<double>(above[i]) - below[i]), 2e-3) << i;
    }
    for (std::size_t j = 0; j < ood.size(); ++j) {
      auto above = ood, below = ood;
      above[j] += static_cast<float>(step);
      below[j] -= static_cast<float>(step);
      const double change = hinge_loss(id, above, options).value - hinge_loss(id, below, options).value;
      EXPECT_NEAR(term.ood_gradient[j], change / (static_cast<double>(above[j]) - below[j]), 2e-3) << j;
    }
  }
}

TEST(HingeLoss, TiedPairsShareTheirPlaces) {
  // The loss uses one of four pairs, but all of them have the same value. Each pair counts as a quarter.
  const std::vector<float> same = {2, 2};
  const LossTerm term = hinge_loss(same, same, {1.0, 0.25, false});
  EXPECT_EQ(term.value, 1.0);
  EXPECT_EQ(term.id_gradient, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(term.ood_gradient, (std::vector<double>{-0.5, -0.5}));
}

TEST(HingeLoss, PairsAtTheMarginHaveNoGradient) {
  const std::vector<float> id = {0}, ood = {1};
  const LossTerm term = hinge_loss(id, ood, {1.0, 0.0, false});
  EXPECT_EQ(term.value, 0.0);
  EXPECT_EQ(term.id_gradient[0], 0.0);
}

TEST(HingeLoss, LosesNothingFarFromZero) {
  const std::vector<float> id = {4e6F, 4e6F + 1}, ood = {4e6F + 1, 4e6F + 2};
  const HingeOptions options{1.5, 0, true};
  EXPECT_NEAR(hinge_loss(id, ood, options).value, pair_by_pair(id, ood, options), 1e-12);
}

}  // namespace
}  // namespace molgauge::ood
