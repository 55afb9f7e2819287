// Tests attention within a molecule, normalisation of rows and Gaussian functions. Compares the kernels of
// every level with plain loops in float64.

#include <cmath>
#include <vector>

#include "arrays.h"
#include "levels.h"

namespace molgauge::ops::cpu {
namespace {

using test::normal_floats;
using Attention = EveryLevel;

struct Sizes {
  std::int64_t tokens, heads, depth;
};
/// The head sizes of Uni-Mol, and sizes that are not multiples of the vector width or of the number of
/// unrolled terms.
constexpr Sizes kSizes[] = {{27, 64, 8}, {1, 64, 8}, {5, 20, 13}, {9, 3, 2}};

struct Result {
  std::vector<double> logits, out;
};

Result plain_attention(const Sizes& sizes, const Floats& joint, const Floats& logits, float scale) {
  const auto [tokens, heads, depth] = sizes;
  const auto number = [&](std::int64_t token, std::int64_t part, std::int64_t d, std::int64_t head) {
    return double{joint.data()[((token * 3 + part) * depth + d) * heads + head]};
  };
  Result result{std::vector<double>(static_cast<std::size_t>(logits.count())),
                std::vector<double>(static_cast<std::size_t>(tokens * depth * heads))};
  for (std::int64_t head = 0; head < heads; ++head) {
    for (std::int64_t i = 0; i < tokens; ++i) {
      const auto logit = [&](std::int64_t j) -> double& {
        return result.logits[static_cast<std::size_t>((i * tokens + j) * heads + head)];
      };
      double total = 0;
      for (std::int64_t j = 0; j < tokens; ++j) {
        logit(j) = double{logits.data()[(i * tokens + j) * heads + head]};
        for (std::int64_t d = 0; d < depth; ++d) {
          logit(j) += double{scale} * number(i, 0, d, head) * number(j, 1, d, head);
        }
        total += std::exp(logit(j));
      }
      for (std::int64_t d = 0; d < depth; ++d) {
        for (std::int64_t j = 0; j < tokens; ++j) {
          result.out[static_cast<std::size_t>((i * depth + d) * heads + head)] +=
              std::exp(logit(j)) / total * number(j, 2, d, head);
        }
      }
    }
  }
  return result;
}

struct Asked {
  std::int64_t queries;
  float scale;
};

void attend(const Kernels& kernels, const Sizes& sizes, const Asked& asked, const Floats& joint,
            Floats& logits, Floats& out) {
  std::vector<float> weights(static_cast<std::size_t>(sizes.tokens * kMaxHeadsAtOnce));
  kernels.pair_attention({.joint = joint.data(),
                          .logits = logits.data(),
                          .out = out.data(),
                          .tokens = sizes.tokens,
                          .heads = sizes.heads,
                          .depth = sizes.depth,
                          .queries = asked.queries,
                          .scale = asked.scale},
                         weights.data());
}

TEST_P(Attention, WithinAMolecule) {
  for (const Sizes& sizes : kSizes) {
    const auto [tokens, heads, depth] = sizes;
    SCOPED_TRACE(testing::Message() << tokens << " tokens, " << heads << " heads of " << depth);
    const Floats joint = normal_floats({tokens, 3 * depth * heads}),
                 before = normal_floats({tokens * tokens, heads});
    const Result expected = plain_attention(sizes, joint, before, 0.4F);
    for (const std::int64_t queries : {tokens, std::int64_t{1}}) {
      Floats logits = test::rows_of(before, 0, tokens * tokens), out{queries, depth * heads};
      attend(kernels(), sizes, {queries, 0.4F}, joint, logits, out);
      for (std::int64_t i = 0; i < out.count(); ++i) {
        ASSERT_NEAR(out.data()[i], expected.out[static_cast<std::size_t>(i)], 1e-5) << i;
      }
      const std::int64_t changed = queries * tokens * heads;
      for (std::int64_t i = 0; i < logits.count(); ++i) {
        const double wanted =
            i < changed ? expected.logits[static_cast<std::size_t>(i)] : double{before.data()[i]};
        ASSERT_NEAR(logits.data()[i], wanted, 1e-5) << i;
      }
    }
  }
}

/// Token weights for very distant logits: 1 and 0, without an overflow.
TEST_P(Attention, OfDistantLogitsIsThatOfTheHighest) {
  constexpr Sizes sizes{.tokens = 3, .heads = 16, .depth = 1};
  Floats joint = Floats::zeros({3, 3 * 16}), logits = Floats::zeros({9, 16}), out{3, 16};
  for (std::int64_t token = 0; token < 3; ++token) {
    std::fill_n(joint.data() + (token * 3 + 2) * 16, 16, static_cast<float>(token + 1));
  }
  for (std::int64_t pair = 0; pair < 9; ++pair) {
    std::fill_n(logits.data() + pair * 16, 16, pair % 3 == pair / 3 ? 3e4F : -3e4F);
  }
  attend(kernels(), sizes, {3, 1}, joint, logits, out);
  for (std::int64_t i = 0; i < out.count(); ++i) {
    EXPECT_EQ(out.data()[i], static_cast<float>(i / 16 + 1));
  }
  logits.data()[5] = NAN;
  attend(kernels(), sizes, {3, 1}, joint, logits, out);
  EXPECT_TRUE(std::isnan(out.data()[5])) << "a NaN is not hidden";
}

TEST_P(Attention, GaussianFunctions) {
  for (const std::int64_t count : {128, 5}) {
    const Floats numbers = normal_floats({3, count}), y = normal_floats({7, 1});
    Floats to{7, count};
    kernels().gaussian_rows({.means = numbers.data(),
                             .factors = numbers.data() + count,
                             .heights = numbers.data() + 2 * count,
                             .kernels = count},
                            y.data(), 7, to.data());
    for (std::int64_t i = 0; i < to.count(); ++i) {
      const std::int64_t k = i % count;
      const double far =
          (double{y.data()[i / count]} - double{numbers.data()[k]}) * double{numbers.data()[count + k]};
      EXPECT_NEAR(to.data()[i], std::exp(-far * far / 2) * double{numbers.data()[2 * count + k]}, 1e-6);
    }
  }
}

TEST_P(Attention, Normalisation) {
  constexpr std::int64_t kWidth = 77, kRows = 3;
  const Floats x = normal_floats({kRows, kWidth}), numbers = normal_floats({2, kWidth});
  Layer layer;
  layer.out = kWidth;
  layer.norm_weight = numbers.data();
  layer.norm_bias = numbers.data() + kWidth;
  Floats to{kRows, kWidth};
  kernels().normalise(layer, x.data(), kRows, to.data());
  for (std::int64_t row = 0; row < kRows; ++row) {
    const float* const own = x.data() + row * kWidth;
    double mean = 0, variance = 0;
    for (std::int64_t i = 0; i < kWidth; ++i) {
      mean += double{own[i]} / kWidth;
    }
    for (std::int64_t i = 0; i < kWidth; ++i) {
      variance += (double{own[i]} - mean) * (double{own[i]} - mean) / kWidth;
    }
    for (std::int64_t i = 0; i < kWidth; ++i) {
      const double wanted = (double{own[i]} - mean) / std::sqrt(variance + 1e-5) * double{numbers.data()[i]} +
                            double{numbers.data()[kWidth + i]};
      EXPECT_NEAR(to.data()[row * kWidth + i], wanted, 1e-5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Attention, ::testing::ValuesIn(tested_levels()), level_name);

}  // namespace
}  // namespace molgauge::ops::cpu
