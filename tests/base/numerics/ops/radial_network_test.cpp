// Compares the network for edge weights with its formula in double precision, at every level of kernels.

#include "base/numerics/ops/equivariant/radial_network.h"

#include <cmath>

#include <gtest/gtest.h>

#include "arrays.h"
#include "levels.h"

namespace molgauge::ops::cpu {
namespace {

using test::normal_floats;

struct RadialProblem {
  std::int64_t edges, in, hidden;
  Floats x = normal_floats({edges, in}), first = normal_floats({hidden, in}),
         first_bias = normal_floats({hidden}), second = normal_floats({hidden, hidden}),
         second_bias = normal_floats({hidden});

  RadialArguments arguments() const {
    return {.edges = edges,
            .in = in,
            .hidden = hidden,
            .x = x.data(),
            .first_weight = first.data(),
            .first_bias = first_bias.data(),
            .second_weight = second.data(),
            .second_bias = second_bias.data()};
  }
};

double silu(double x) { return x / (1 + std::exp(-x)); }

std::vector<double> layer(const std::vector<double>& rows, const Floats& weight, const Floats& bias) {
  const auto out = static_cast<std::size_t>(weight.size(0)), in = static_cast<std::size_t>(weight.size(1));
  std::vector<double> made;
  for (std::size_t row = 0; row < rows.size() / in; ++row) {
    for (std::size_t j = 0; j < out; ++j) {
      double sum = double{bias.data()[j]};
      for (std::size_t k = 0; k < in; ++k) {
        sum += rows[row * in + k] * double{weight.data()[j * in + k]};
      }
      made.push_back(silu(sum));
    }
  }
  return made;
}

std::vector<double> reference(const RadialProblem& p) {
  const std::vector<double> x(p.x.data(), p.x.data() + p.x.count());
  return layer(layer(x, p.first, p.first_bias), p.second, p.second_bias);
}

class RadialNetworkKernel : public EveryLevel {};

TEST_P(RadialNetworkKernel, IsItsFormula) {
  for (const RadialProblem& p :
       {RadialProblem{200, 11, 64}, RadialProblem{97, 3, 12}, RadialProblem{1, 16, 17}}) {
    Floats out{p.edges, p.hidden};
    radial_network(p.arguments(), out.data());
    const std::vector<double> expected = reference(p);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(out.data()[i], expected[i], 1e-5 * (1 + std::abs(expected[i]))) << i;
    }
  }
}

TEST_P(RadialNetworkKernel, GradientsAreSlopes) {
  RadialProblem p{101, 5, 12};
  const Floats gradient = normal_floats({p.edges, p.hidden});
  Floats* const arrays[] = {&p.x, &p.first, &p.first_bias, &p.second, &p.second_bias};
  std::vector<Floats> gradients;
  for (const Floats* const array : arrays) {
    gradients.push_back(Floats::zeros(array->shape()));
  }
  radial_network_backward(p.arguments(), gradient.data(),
                          {gradients[0].data(), gradients[1].data(), gradients[2].data(), gradients[3].data(),
                           gradients[4].data()});
  const auto value = [&] {
    const std::vector<double> out = reference(p);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      sum += out[i] * double{gradient.data()[i]};
    }
    return sum;
  };
  for (std::size_t a = 0; a < gradients.size(); ++a) {
    const std::int64_t stride = std::max<std::int64_t>(1, arrays[a]->count() / 20);
    for (std::int64_t i = 0; i < arrays[a]->count(); i += stride) {
      float& number = arrays[a]->data()[i];
      const float kept = number;
      number = kept + 1e-3F;
      const double above = value(), up = double{number};
      number = kept - 1e-3F;
      const double slope = (above - value()) / (up - double{number});
      number = kept;
      ASSERT_NEAR(gradients[a].data()[i], slope, 1e-4 * (1 + std::abs(slope)))
          << "array " << a << ", number " << i;
    }
  }
  Floats weights[] = {Floats::zeros(p.first.shape()), Floats::zeros(p.first_bias.shape()),
                      Floats::zeros(p.second.shape()), Floats::zeros(p.second_bias.shape())};
  radial_network_backward(
      p.arguments(), gradient.data(),
      {nullptr, weights[0].data(), weights[1].data(), weights[2].data(), weights[3].data()});
  EXPECT_TRUE(std::equal(weights[0].data(), weights[0].data() + weights[0].count(), gradients[1].data()));
}

/// The first half of the edges and the second half have opposite gradients. Only the gradient of the last
/// edge remains.
TEST_P(RadialNetworkKernel, GradientsThatCancelEachOtherLoseNoDigits) {
  constexpr std::int64_t kHalf = 96 * 50;
  RadialProblem p{2 * kHalf + 1, 5, 12};
  Floats gradient = normal_floats({p.edges, p.hidden});
  for (std::int64_t edge = 0; edge < kHalf; ++edge) {
    std::copy_n(p.x.data() + edge * p.in, p.in, p.x.data() + (kHalf + edge) * p.in);
    for (std::int64_t k = 0; k < p.hidden; ++k) {
      gradient.data()[edge * p.hidden + k] *= 1000;
      gradient.data()[(kHalf + edge) * p.hidden + k] = -gradient.data()[edge * p.hidden + k];
    }
  }
  const auto gradients_of = [&](std::int64_t first, std::int64_t edges) {
    RadialArguments arguments = p.arguments();
    arguments.edges = edges;
    arguments.x += first * p.in;
    std::vector<Floats> made = {Floats::zeros(p.first.shape()), Floats::zeros(p.first_bias.shape()),
                                Floats::zeros(p.second.shape()), Floats::zeros(p.second_bias.shape())};
    radial_network_backward(arguments, gradient.data() + first * p.hidden,
                            {nullptr, made[0].data(), made[1].data(), made[2].data(), made[3].data()});
    return made;
  };
  const auto all = gradients_of(0, p.edges), last = gradients_of(2 * kHalf, 1);
  for (std::size_t a = 0; a < all.size(); ++a) {
    float most = 0;
    for (const float number : last[a].numbers()) {
      most = std::max(most, std::abs(number));
    }
    for (std::int64_t i = 0; i < all[a].count(); ++i) {
      EXPECT_NEAR(all[a].data()[i], last[a].data()[i], 1e-6 * most) << "array " << a << ", number " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, RadialNetworkKernel, ::testing::ValuesIn(tested_levels()), level_name);

}  // namespace
}  // namespace molgauge::ops::cpu
