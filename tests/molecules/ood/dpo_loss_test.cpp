#include <cmath>

#include <gtest/gtest.h>

#include "energies.h"
#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

/// Computes the loss from its definition, pair by pair.
LossTerm pair_by_pair(std::span<const float> id, std::span<const float> ood, double beta) {
  LossTerm term{0, std::vector<double>(id.size()), std::vector<double>(ood.size())};
  const double share = 1.0 / (static_cast<double>(id.size()) * static_cast<double>(ood.size()));
  for (std::size_t i = 0; i < id.size(); ++i) {
    for (std::size_t j = 0; j < ood.size(); ++j) {
      const double x = -beta * (static_cast<double>(ood[j]) - static_cast<double>(id[i]));
      term.value += share * (x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)));
      const double slope = share * beta / (1.0 + std::exp(-x));
      term.id_gradient[i] += slope;
      term.ood_gradient[j] -= slope;
    }
  }
  return term;
}

void expect_same(const LossTerm& actual, const LossTerm& expected) {
  EXPECT_NEAR(actual.value, expected.value, 1e-12 * (1 + std::abs(expected.value)));
  ASSERT_EQ(actual.id_gradient.size(), expected.id_gradient.size());
  ASSERT_EQ(actual.ood_gradient.size(), expected.ood_gradient.size());
  for (std::size_t i = 0; i < expected.id_gradient.size(); ++i) {
    EXPECT_NEAR(actual.id_gradient[i], expected.id_gradient[i],
                1e-14 * (1 + 10 * std::abs(expected.id_gradient[i])))
        << i;
  }
  for (std::size_t j = 0; j < expected.ood_gradient.size(); ++j) {
    EXPECT_NEAR(actual.ood_gradient[j], expected.ood_gradient[j],
                1e-14 * (1 + 10 * std::abs(expected.ood_gradient[j])))
        << j;
  }
}

TEST(DpoLoss, EqualsTheSumPairByPair) {
  const auto id = test::energies(701, 0.0, 1.0, 1), ood = test::energies(1203, 0.5, 2.0, 2);
  for (const double beta : {0.1, 5.0}) {
    expect_same(dpo_loss(id, ood, beta, 1), pair_by_pair(id, ood, beta));
  }
}

TEST(DpoLoss, HoldsForOneByOne) {
  const std::vector<float> id = {0.25F}, ood = {-0.5F};
  expect_same(dpo_loss(id, ood, 0.1, 1), pair_by_pair(id, ood, 0.1));
}

TEST(DpoLoss, HoldsForEnergiesFarFromZeroAndFarApart) {
  const std::vector<float> id = {1e6F, 1e6F + 1, 1e6F - 2}, near = {1e6F + 3, 1e6F};
  expect_same(dpo_loss(id, near, 1.0, 1), pair_by_pair(id, near, 1.0));
  const std::vector<float> far = {-3e4F, 1e6F, 2e6F};  // products of exponentials would overflow
  expect_same(dpo_loss(id, far, 10.0, 1), pair_by_pair(id, far, 10.0));
}

/// Covers every remainder of rows, columns, blocks and tiles, and energies within and beyond the bound of the
/// factored kernel.
TEST(DpoLoss, HoldsForSizesAndEnergiesAtTheEdges) {
  for (const std::size_t n : {1, 3, 4, 5, 65}) {
    for (const std::size_t m : {1, 7, 8, 9, 1023, 1025}) {
      for (const double beta : {0.1, 20.0, 60.0}) {
        const auto id = test::energies(n, 0.0, 1.0, 5), ood = test::energies(m, 0.5, 1.0, 6);
        expect_same(dpo_loss(id, ood, beta, 1), pair_by_pair(id, ood, beta));
      }
    }
  }
}

TEST(DpoLoss, DoesNotDependOnTheNumberOfThreads) {
  const auto id = test::energies(2500, 0.0, 1.0, 3), ood = test::energies(2400, 0.5, 1.0, 4);
  const LossTerm one = dpo_loss(id, ood, 0.1, 1);
  for (const std::size_t threads : {2, 3, 8}) {
    const LossTerm many = dpo_loss(id, ood, 0.1, threads);
    EXPECT_EQ(many.value, one.value);
    EXPECT_EQ(many.id_gradient, one.id_gradient);
    EXPECT_EQ(many.ood_gradient, one.ood_gradient);
  }
}

}  // namespace
}  // namespace molgauge::ood
