// Attention in training for the level MOLGAUGE_LEVEL. The compiler vectorises these loops. The lanes of a
// vector are heads.

#include <algorithm>
#include <cstdint>

#include "base/numerics/ops/cpu/levels/exponential.h"
#include "base/numerics/ops/cpu/loops.h"
#include "base/numerics/ops/training/keyed_numbers.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {
namespace {

/// The arrays of one query.
struct Row {
  float* weights;   ///< softmax weights, [tokens, heads]
  float* factors;   ///< dropout factors, [tokens, heads]
  float* gradient;  ///< gradients of the weights, [tokens, heads]. Before they are computed, the first row
                    ///< holds temporary values

  Row(const AttentionInTraining& a, float* scratch)
      : weights(scratch), factors(scratch + a.tokens * a.heads), gradient(scratch + 2 * a.tokens * a.heads) {}
};

inline const float* part_of(const AttentionInTraining& a, std::int64_t token, std::int64_t part) {
  return a.joint + (token * 3 + part) * a.depth * a.heads;
}

/// Computes the weights and factors of query i. Its logits are [tokens, heads].
void weigh(const AttentionInTraining& a, std::int64_t i, const float* logits, const Row& row) {
  const std::int64_t count = a.tokens * a.heads;
  float* const highest = row.gradient;
  std::copy_n(logits, a.heads, highest);
  for (std::int64_t j = 1; j < a.tokens; ++j) {
#pragma omp simd
    for (std::int64_t h = 0; h < a.heads; ++h) {
      const float logit = logits[j * a.heads + h];
      highest[h] = logit > highest[h] ? logit : highest[h];
    }
  }
  for (std::int64_t j = 0; j < a.tokens; ++j) {
#pragma omp simd
    for (std::int64_t h = 0; h < a.heads; ++h) {
      row.weights[j * a.heads + h] = exponential(logits[j * a.heads + h] - highest[h]);
    }
  }
  float* const total = row.gradient;
  std::fill_n(total, a.heads, 0.0F);
  for (std::int64_t j = 0; j < a.tokens; ++j) {
#pragma omp simd
    for (std::int64_t h = 0; h < a.heads; ++h) {
      total[h] += row.weights[j * a.heads + h];
    }
  }
  for (std::int64_t j = 0; j < a.tokens; ++j) {
#pragma omp simd
    for (std::int64_t h = 0; h < a.heads; ++h) {
      row.weights[j * a.heads + h] /= total[h];
    }
  }
  if (a.dropout > 0) {
    dropout_factors(static_cast<std::size_t>(count), a.dropout,
                    keyed_number(a.key, static_cast<std::uint64_t>(i)), row.factors);
  } else {
    std::fill_n(row.factors, count, 1.0F);
  }
}

}  // namespace

void dropout_factors(std::size_t width, double dropout, std::uint64_t key, float* factors) {
  const auto threshold = static_cast<std::uint64_t>(dropout * 4294967296.0);
  const auto kept = static_cast<float>(1.0 / (1.0 - dropout));
#pragma omp simd
  for (std::size_t j = 0; j < width; ++j) {
    factors[j] = (keyed_number(key, j) >> 32) >= threshold ? kept : 0.0F;
  }
}

void attend(const AttentionInTraining& a, const float* before, float* logits, float* out, float* scratch) {
  const Row row(a, scratch);
  const std::int64_t width = a.depth * a.heads;
  for (std::int64_t i = 0; i < a.queries; ++i) {
    const float* const query = part_of(a, i, 0);
    float* const own = logits + i * a.tokens * a.heads;
    if (before != logits) {
      std::copy_n(before + i * a.tokens * a.heads, a.tokens * a.heads, own);
    }
    for (std::int64_t j = 0; j < a.tokens; ++j) {
      const float* const key = part_of(a, j, 1);
      float* const logit = own + j * a.heads;
      for (std::int64_t d = 0; d < width; d += a.heads) {
#pragma omp simd
        for (std::int64_t h = 0; h < a.heads; ++h) {
          logit[h] += a.scale * query[d + h] * key[d + h];
        }
      }
    }
    weigh(a, i, own, row);
    float* const to = out + i * width;
    std::fill_n(to, width, 0.0F);
    for (std::int64_t j = 0; j < a.tokens; ++j) {
      const float* const value = part_of(a, j, 2);
      const float* const weight = row.weights + j * a.heads;
      const float* const factor = row.factors + j * a.heads;
      for (std::int64_t d = 0; d < width; d += a.heads) {
#pragma omp simd
        for (std::int64_t h = 0; h < a.heads; ++h) {
          to[d + h] += factor[h] * weight[h] * value[d + h];
        }
      }
    }
  }
}

void attend_backward(const AttentionInTraining& a, const float* logits, const float* out_gradient,
                     float* logit_gradient, float* joint_gradient, float* scratch) {
  const Row row(a, scratch);
  const std::int64_t width = a.depth * a.heads;
  const auto gradient_of = [&](std::int64_t token, std::int64_t part) {
    return joint_gradient + (token * 3 + part) * width;
  };
  for (std::int64_t i = 0; i < a.queries; ++i) {
    weigh(a, i, logits + i * a.tokens * a.heads, row);
    const float* const of_out = out_gradient + i * width;
    for (std::int64_t j = 0; j < a.tokens; ++j) {
      const float* const value = part_of(a, j, 2);
      const float* const weight = row.weights + j * a.heads;
      const float* const factor = row.factors + j * a.heads;
      float* const of_value = gradient_of(j, 2);
      float* const of_weight = row.gradient + j * a.heads;
      std::fill_n(of_weight, a.heads, 0.0F);
      for (std::int64_t d = 0; d < width; d += a.heads) {
#pragma omp simd
        for (std::int64_t h = 0; h < a.heads; ++h) {
          of_weight[h] += of_out[d + h] * value[d + h];
          of_value[d + h] += factor[h] * weight[h] * of_out[d + h];
        }
      }
    }
    // By the derivative of softmax, the gradient of a logit is w (g - sum of w g), where g is the gradient of
    // the weight w before dropout. The factors are not needed after g is computed, so the mean takes their
    // place.
    float* const mean = row.factors;
    for (std::int64_t j = 0; j < a.tokens; ++j) {
#pragma omp simd
      for (std::int64_t h = 0; h < a.heads; ++h) {
        const std::int64_t place = j * a.heads + h;
        row.gradient[place] *= row.factors[place];
      }
    }
    std::fill_n(mean, a.heads, 0.0F);
    for (std::int64_t j = 0; j < a.tokens; ++j) {
#pragma omp simd
      for (std::int64_t h = 0; h < a.heads; ++h) {
        mean[h] += row.weights[j * a.heads + h] * row.gradient[j * a.heads + h];
      }
    }
    const float* const query = part_of(a, i, 0);
    float* const of_query = gradient_of(i, 0);
    for (std::int64_t j = 0; j < a.tokens; ++j) {
      const float* const key = part_of(a, j, 1);
      float* const of_key = gradient_of(j, 1);
      float* const of_logit = logit_gradient + (i * a.tokens + j) * a.heads;
#pragma omp simd
      for (std::int64_t h = 0; h < a.heads; ++h) {
        const std::int64_t place = j * a.heads + h;
        of_logit[h] += row.weights[place] * (row.gradient[place] - mean[h]);
      }
      for (std::int64_t d = 0; d < width; d += a.heads) {
#pragma omp simd
        for (std::int64_t h = 0; h < a.heads; ++h) {
          of_query[d + h] += a.scale * of_logit[h] * key[d + h];
          of_key[d + h] += a.scale * of_logit[h] * query[d + h];
        }
      }
    }
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
