#pragma once

#include "base/numerics/ops/cpu/levels/finish.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// exp(x) for x <= 88, computed as 2^n exp(r) with |r| <= ln(2) / 2. For exp(r), uses the Taylor series up to
/// the seventh power, which has an error of 5e-9. For x below -86, where exp(x) is less than 5e-38, returns
/// exp(-86). A NaN stays a NaN.
inline Floats exponential(Floats x) {
  constexpr float kLowest = -86.0F, kReciprocalOfLn2 = 1.44269504088896341F;
  // ln(2) in two parts. The first part has few bits, so its products with integers are exact.
  constexpr float kLn2First = 0.693359375F, kLn2Rest = -2.12194440054690583e-4F;
  // Adding 1.5 x 2^23 rounds a number to an integer, which is then in the low bits of the sum.
  constexpr float kRounding = 12582912.0F;
  constexpr float kTerms[] = {1.0F / 5040, 1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F};
  const Floats within = x < kLowest ? splat(kLowest) : x;
  const Floats rounded = within * kReciprocalOfLn2 + kRounding;
  const Floats n = rounded - kRounding;
  const Floats r = (within - n * kLn2First) - n * kLn2Rest;
  Floats sum = splat(kTerms[0]);
#pragma GCC unroll 8
  for (int term = 1; term < 8; ++term) {
    sum = sum * r + kTerms[term];
  }
  constexpr int kMantissaBits = 23;
  const auto power = (Floats)((Integers)sum + ((Integers)rounded << kMantissaBits));
  // A NaN is returned unchanged, because its shifted bits could become a number.
  return x == x ? power : x;  // NOLINT(misc-redundant-expression)
}

/// Adds the products of query i with all keys to logits[i, j]. Uses only the kPart numbers of each head that
/// start with number `first`. Each lane is a head.
template <int kPart, bool kWhole>
inline void add_logits(const PairAttention& a, std::int64_t i, std::int64_t first, std::int64_t head) {
  const std::int64_t left = a.heads - head, stride = 3 * a.depth * a.heads;
  const auto load_heads = [&](const float* from) { return kWhole ? load(from) : load_some(from, left); };
  Floats query[kPart];
#pragma GCC unroll 8
  for (int part = 0; part < kPart; ++part) {
    query[part] = load_heads(a.joint + i * stride + (first + part) * a.heads + head) * a.scale;
  }
  const float* key = a.joint + (a.depth + first) * a.heads + head;
  float* logits = a.logits + i * a.tokens * a.heads + head;
  for (std::int64_t j = 0; j < a.tokens; ++j, key += stride, logits += a.heads) {
    Floats sum = query[0] * load_heads(key);
#pragma GCC unroll 8
    for (int part = 1; part < kPart; ++part) {
      sum += query[part] * load_heads(key + part * a.heads);
    }
    const Floats logit = load_heads(logits) + sum;
    if constexpr (kWhole) {
      store(logits, logit);
    } else {
      store_some(logits, logit, left);
    }
  }
}

/// Computes the numbers `first` to `first + kPart - 1` of the result of token i: the weighted sum of the
/// values, divided by `total`, the sum of the weights. `weights` is [tokens, kLanes].
template <int kPart, bool kWhole>
inline void add_values(const PairAttention& a, std::int64_t i, std::int64_t first, std::int64_t head,
                       const float* weights, Floats total) {
  const std::int64_t left = a.heads - head, stride = 3 * a.depth * a.heads;
  const float* value = a.joint + (2 * a.depth + first) * a.heads + head;
  Floats sums[kPart] = {};
  for (std::int64_t j = 0; j < a.tokens; ++j, value += stride, weights += kLanes) {
    const Floats weight = load(weights);
#pragma GCC unroll 8
    for (int part = 0; part < kPart; ++part) {
      const float* const numbers = value + part * a.heads;
      sums[part] += weight * (kWhole ? load(numbers) : load_some(numbers, left));
    }
  }
#pragma GCC unroll 8
  for (int part = 0; part < kPart; ++part) {
    store_some(a.out + (i * a.depth + first + part) * a.heads + head, sums[part] / total, left);
  }
}

/// Calls step<n>(first) for parts of n numbers that together cover all numbers of a head. The parts have
/// eight numbers each. Smaller parts cover the remaining numbers.
template <int kPart = 8, typename Step>
inline void for_parts(std::int64_t first, std::int64_t depth, const Step& step) {
  for (; first + kPart <= depth; first += kPart) {
    step.template operator()<kPart>(first);
  }
  if constexpr (kPart > 1) {
    for_parts<kPart / 2>(first, depth, step);
  }
}

/// Processes token i for kLanes consecutive heads, starting with `head`.
template <bool kWhole>
inline void attend_with(const PairAttention& a, std::int64_t i, std::int64_t head, float* weights) {
  for_parts(0, a.depth, [&]<int kPart>(std::int64_t first) { add_logits<kPart, kWhole>(a, i, first, head); });
  const std::int64_t left = a.heads - head;
  const float* const logits = a.logits + i * a.tokens * a.heads + head;
  const auto logit = [&](std::int64_t j) {
    return kWhole ? load(logits + j * a.heads) : load_some(logits + j * a.heads, left);
  };
  Floats highest = logit(0);
  for (std::int64_t j = 1; j < a.tokens; ++j) {
    highest = larger(logit(j), highest);
  }
  Floats total = {};
  for (std::int64_t j = 0; j < a.tokens; ++j) {
    const Floats weight = exponential(logit(j) - highest);
    total += weight;
    store(weights + j * kLanes, weight);
  }
  for_parts(0, a.depth, [&]<int kPart>(std::int64_t first) {
    add_values<kPart, kWhole>(a, i, first, head, weights, total);
  });
}

inline void pair_attention(const PairAttention& attention, float* weights) {
  for (std::int64_t head = 0; head < attention.heads; head += kLanes) {
    const auto attend = head + kLanes <= attention.heads ? attend_with<true> : attend_with<false>;
    for (std::int64_t i = 0; i < attention.queries; ++i) {
      attend(attention, i, head, weights);
    }
  }
}

inline void gaussian_rows(const GaussianRows& rows, const float* places, std::int64_t count, float* to) {
  for (std::int64_t row = 0; row < count; ++row, to += rows.kernels) {
    for (std::int64_t k = 0; k < rows.kernels; k += kLanes) {
      const std::int64_t left = rows.kernels - k;
      const Floats far = (places[row] - load_some(rows.means + k, left)) * load_some(rows.factors + k, left);
      store_some(to + k, exponential(-0.5F * far * far) * load_some(rows.heights + k, left), left);
    }
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
