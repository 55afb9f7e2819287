// Tests the parts of equivariant networks other than messages: irreps, 3j symbols, harmonics, layers.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arrays.h"
#include "base/core/error.h"
#include "base/numerics/ops/equivariant/coupling.h"
#include "base/numerics/ops/equivariant/harmonics.h"
#include "base/numerics/ops/equivariant/irreps_linear.h"
#include "base/numerics/ops/equivariant/layers.h"

namespace molgauge::ops {
namespace {

using test::normal_floats;
using ::testing::HasSubstr;

/// Rotates vectors [n, 3] by a rotation that moves every axis.
Floats turned(const Floats& vectors) {
  const double a = 0.7, b = 1.9;
  Floats out{vectors.size(0), 3};
  for (std::int64_t row = 0; row < vectors.size(0); ++row) {
    const float* const v = vectors.data() + 3 * row;
    const double x = std::cos(a) * v[0] - std::sin(a) * v[1], y = std::sin(a) * v[0] + std::cos(a) * v[1];
    out.data()[3 * row] = static_cast<float>(x);
    out.data()[3 * row + 1] = static_cast<float>(std::cos(b) * y - std::sin(b) * v[2]);
    out.data()[3 * row + 2] = static_cast<float>(std::sin(b) * y + std::cos(b) * v[2]);
  }
  return out;
}

TEST(Irreps, AreReadAndWritten) {
  const Irreps irreps = Irreps::parse("32x0e+16x1o +  8x2e + 3o");
  EXPECT_EQ(irreps.to_string(), "32x0e + 16x1o + 8x2e + 1x3o");
  EXPECT_EQ(irreps.width(), 32 + 48 + 40 + 7);
  EXPECT_EQ(irreps.channels(), 57);
  EXPECT_EQ(irreps.offset(2), 80);
  EXPECT_EQ(Irreps::parse(irreps.to_string()), irreps);
  EXPECT_EQ(Irreps::harmonics(2).to_string(), "1x0e + 1x1o + 1x2e");
}

TEST(Irreps, WhatCannotBeReadIsRefused) {
  for (const char* text : {"", "32", "0x0e", "-1x0e", "4x4e", "4x1", "4x1z", "x1o", "4x0e +", "4x0e 4x1o",
                           "4xe", "99999999999999999999x0e", "1000000x3o", "1000000x0e + 1x0e"}) {
    EXPECT_THROW(Irreps::parse(text), UsageError) << text;
  }
  try {
    Irreps::parse("4x0e + 4x9o");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("4x9o"));
  }
}

/// The contraction of three harmonics with their 3j symbols does not change if all three directions are
/// rotated together.
TEST(Coupling, SymbolsAreInvariantAndOfNormOne) {
  const Floats directions = normal_floats({3, 3});
  const Floats before = spherical_harmonics(directions, 3),
               after = spherical_harmonics(turned(directions), 3);
  for (int a = 0; a <= 3; ++a) {
    for (int b = 0; b <= 3; ++b) {
      for (int c = std::abs(a - b); c <= std::min(a + b, 3); ++c) {
        double squares = 0, sum_before = 0, sum_after = 0;
        for (const Coupling& coupling : couplings(a, b, c)) {
          const auto product = [&](const Floats& h) {
            return coupling.value * double{h.data()[a * a + coupling.first]} *
                   double{h.data()[16 + b * b + coupling.second]} *
                   double{h.data()[32 + c * c + coupling.third]};
          };
          squares += coupling.value * coupling.value;
          sum_before += product(before);
          sum_after += product(after);
        }
        EXPECT_NEAR(squares, 1, 1e-12);
        EXPECT_NEAR(sum_before, sum_after, 1e-5) << a << b << c;
      }
    }
  }
  EXPECT_THROW(wigner_3j(1, 1, 3), std::invalid_argument);
  EXPECT_THROW(wigner_3j(4, 4, 0), std::invalid_argument);
}

TEST(TensorProduct, PathsAreInOrderAndKeepTheVariance) {
  const TensorProduct product(Irreps::parse("32x0e + 16x1o + 8x2e"), 2,
                              Irreps::parse("56x0e + 16x1o + 8x2e"));
  EXPECT_EQ(product.weights(), 4800);
  ASSERT_EQ(product.paths().size(), 11U);
  EXPECT_NEAR(product.paths()[0].scale, 0.1336306, 1e-7);
  EXPECT_NEAR(product.paths()[1].scale, 0.2041241, 1e-7);
  EXPECT_NEAR(product.paths()[10].scale, 0.2795085, 1e-7);
  EXPECT_EQ(product.paths()[9].first_weight, 4800 - 64 - 448);
}

TEST(SphericalHarmonics, OfADegreeHaveOneLength) {
  const Floats harmonics = spherical_harmonics(normal_floats({50, 3}), 3);
  for (std::int64_t row = 0; row < 50; ++row) {
    for (int l = 0; l <= 3; ++l) {
      double squares = 0;
      for (int k = l * l; k < (l + 1) * (l + 1); ++k) {
        squares += std::pow(harmonics.data()[16 * row + k], 2);
      }
      EXPECT_NEAR(squares, 2 * l + 1, 1e-4);
    }
  }
  const Floats of_zero = spherical_harmonics(Floats::zeros({1, 3}), 3);
  EXPECT_EQ(of_zero.data()[0], 1);
  EXPECT_TRUE(std::all_of(of_zero.data() + 1, of_zero.data() + 16, [](float h) { return h == 0; }));
}

TEST(SphericalHarmonics, GradientsAreSlopes) {
  Floats vectors = normal_floats({6, 3});
  const Floats weights = normal_floats({6, 16});
  const Floats gradient = spherical_harmonics_backward(vectors, 3, weights);
  const auto value = [&] {
    const Floats harmonics = spherical_harmonics(vectors, 3);
    double sum = 0;
    for (std::int64_t i = 0; i < harmonics.count(); ++i) {
      sum += double{harmonics.data()[i]} * double{weights.data()[i]};
    }
    return sum;
  };
  for (std::int64_t i = 0; i < vectors.count(); ++i) {
    const float kept = vectors.data()[i], step = 1e-2F;
    vectors.data()[i] = kept + step;
    const double above = value();
    vectors.data()[i] = kept - step;
    const double slope = (above - value()) / (2 * double{step});
    vectors.data()[i] = kept;
    EXPECT_NEAR(gradient.data()[i], slope, 1e-2 * (1 + std::abs(slope)));
  }
  const Floats of_zero = spherical_harmonics_backward(Floats::zeros({1, 3}), 2, normal_floats({1, 9}));
  EXPECT_EQ(of_zero.data()[0], 0);
}

TEST(RadialBasis, EndsSmoothlyAtTheCutoff) {
  Floats lengths{4};
  std::copy_n(std::vector<float>{0, 3, 5.999F, 7}.data(), 4, lengths.data());
  const Floats basis = radial_basis(lengths, bessel_frequencies({}), 6);
  // At r = 0, sin(f r) / r has the limit f.
  EXPECT_NEAR(basis.data()[0], std::sqrt(2.0 / 6) * std::acos(-1) / 6, 1e-5);
  EXPECT_NEAR(basis.data()[8], std::sqrt(2.0 / 6) / 3 * (1 - 28.0 / 64 + 48.0 / 128 - 21.0 / 256), 1e-6);
  for (int j = 0; j < 8; ++j) {
    EXPECT_NEAR(basis.data()[16 + j], 0, 1e-6);
    EXPECT_EQ(basis.data()[24 + j], 0);
  }
}

TEST(RadialBasis, OfAnyFrequencyIsItsFormula) {
  Floats lengths{1}, frequencies{2};
  *lengths.data() = 3.0F;
  std::copy_n(std::vector<float>{2.0F, 3e7F}.data(), 2, frequencies.data());
  const Floats basis = radial_basis(lengths, frequencies, 6);
  for (int j = 0; j < 2; ++j) {
    const double envelope = 1 - 28.0 / 64 + 48.0 / 128 - 21.0 / 256;
    EXPECT_NEAR(basis.data()[j], std::sqrt(2.0 / 6) * std::sin(3.0 * frequencies.data()[j]) / 3 * envelope,
                1e-6);
  }
}

TEST(IrrepsLinear, MixesChannelsOfAKind) {
  const Irreps in = Irreps::parse("2x0e + 2x1o"), out = Irreps::parse("3x0e + 1x1o + 1x2e");
  ASSERT_EQ(IrrepsLinear::weight_count(in, out), 8);
  const Floats weight = normal_floats({8}), x = normal_floats({1, 8});
  const Floats y = IrrepsLinear(in, out, weight)(x);
  const float *w = weight.data(), *v = x.data();
  const float root = std::sqrt(2.0F);
  EXPECT_NEAR(y.data()[1], (v[0] * w[1] + v[1] * w[4]) / root, 1e-5);
  EXPECT_NEAR(y.data()[4], (v[3] * w[6] + v[6] * w[7]) / root, 1e-5);
  EXPECT_EQ(y.data()[6], 0);
  EXPECT_EQ(y.data()[10], 0);
}

TEST(IrrepsLinear, AddsWhatSeveralBlocksOfAKindGive) {
  const Irreps in = Irreps::parse("1x0e + 1x1o + 2x0e"), out = Irreps::parse("1x0e + 1x0e");
  const Floats w = normal_floats({6}), x = normal_floats({60, 6});
  const Floats y = IrrepsLinear(in, out, w)(x);
  for (const std::int64_t row : {0, 59}) {
    const float* const v = x.data() + row * 6;
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(
          y.data()[row * 2 + k],
          (v[0] * w.data()[k] + v[4] * w.data()[2 + 2 * k] + v[5] * w.data()[3 + 2 * k]) / std::sqrt(3.0F),
          1e-5);
    }
  }
}

TEST(Gate, OpensChannelsByTheirScalars) {
  const Irreps out = Irreps::parse("1x0e + 2x1o + 1x2e");
  EXPECT_EQ(gated(out).to_string(), "4x0e + 2x1o + 1x2e");
  const Floats x = normal_floats({1, 15}), y = gate(x, out);
  const auto sigmoid = [](float z) { return 1 / (1 + std::exp(-z)); };
  const float* const v = x.data();
  EXPECT_NEAR(y.data()[0], kSiluScale * v[0] * sigmoid(v[0]), 1e-5);
  EXPECT_NEAR(y.data()[4], kSigmoidScale * sigmoid(v[2]) * v[7], 1e-5);
  EXPECT_NEAR(y.data()[7], kSigmoidScale * sigmoid(v[3]) * v[10], 1e-5);
}

TEST(EquivariantNorm, LengthsKeepDirectionsAndVariancesDoNot) {
  const Irreps irreps = Irreps::parse("2x0e + 1x1o");
  Floats x{1, 5};
  std::copy_n(std::vector<float>{1, 3, 1, 2, 2}.data(), 5, x.data());
  Floats ones{2};
  std::fill_n(ones.data(), 2, 1.0F);
  const LayerNorm scalars{ones, Floats::zeros({2})};
  const Floats kept = apply(EquivariantNorm{scalars, ChannelNorm::length}, x, irreps);
  EXPECT_NEAR(kept.data()[1], 1, 1e-4);
  EXPECT_NEAR(kept.data()[2], 1 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(kept.data()[3], 2 / std::sqrt(3.0), 1e-4);
  const Floats changed = apply(EquivariantNorm{scalars, ChannelNorm::variance}, x, irreps);
  EXPECT_NEAR(changed.data()[2], -std::sqrt(2.0), 1e-3);
}

TEST(Silu, IsThatOfTheStandardLibrary) {
  Floats x{201};
  for (int i = 0; i < 201; ++i) {
    x.data()[i] = static_cast<float>(i - 100);
  }
  const Floats y = silu(x);
  for (int i = 0; i < 201; ++i) {
    const double at = i - 100;
    EXPECT_NEAR(y.data()[i], at / (1 + std::exp(-at)), 1e-5 * (1 + std::abs(at)));
  }
}

}  // namespace
}  // namespace molgauge::ops
