#pragma once

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/vector.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// erf(z) as z P(z^2) / Q(z^2) on [-3.9, 3.9]. Farther out, where erf differs from 1 by less than 4e-8,
/// returns the value at the limit. The coefficients come from a least-squares fit whose weights minimise the
/// relative error, which is 2e-8. Evaluation in float32 has an error of 4e-7.
inline Floats error_function(Floats z) {
  constexpr float kEnd = 3.9F;
  constexpr float kP[] = {1.1283791476190823F,   0.18966692798170823F,   0.052668112852490484F,
                          0.003738355746616841F, 0.0002850632438921263F, 2.066482393246884e-06F};
  constexpr float kQ[] = {1.0F,
                          0.5014207199635019F,
                          0.11381901588767464F,
                          0.014914294865257926F,
                          0.0011573801326073313F,
                          3.827017275000155e-05F};
  z = larger(smaller(z, splat(kEnd)), splat(-kEnd));
  const Floats t = z * z;
  Floats p = splat(kP[5]), q = splat(kQ[5]);
  for (int i = 4; i >= 0; --i) {
    p = p * t + kP[i];
    q = q * t + kQ[i];
  }
  return z * p / q;
}

inline Floats gelu(Floats x) {
  constexpr float kSquareRootOfHalf = 0.70710678118654752440F;
  const Floats half = 0.5F * x;
  // If x is NaN, `half` makes the result NaN, although error_function() clamps its argument.
  return half + half * error_function(kSquareRootOfHalf * x);
}

inline Floats activate(Activation activation, Floats x) {
  switch (activation) {
    case Activation::relu:
      return x < 0.0F ? splat(0.0F) : x;
    case Activation::gelu:
      return gelu(x);
    case Activation::none:
      break;
  }
  return x;
}

struct Moments {
  float mean, inverse_deviation;
};

/// Sum of term(number) over a row. Four partial sums hide the latency of additions.
template <typename Term>
inline float sum_over(const float* row, std::int64_t width, const Term& term) {
  constexpr int kSums = 4;
  Floats sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums * kLanes <= width; i += kSums * kLanes) {
#pragma GCC unroll 4
    for (int sum = 0; sum < kSums; ++sum) {
      sums[sum] += term(load(row + i + sum * kLanes));
    }
  }
  for (; i + kLanes <= width; i += kLanes) {
    sums[0] += term(load(row + i));
  }
  float total = sum_of((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < width; ++i) {
    total += term(row[i]);
  }
  return total;
}

inline Moments moments_of(const float* row, std::int64_t width) {
  constexpr float kEpsilon = 1e-5F;
  const auto count = static_cast<float>(width);
  const float mean = sum_over(row, width, [](auto x) { return x; }) / count;
  const float variance = sum_over(row, width, [=](auto x) { return (x - mean) * (x - mean); }) / count;
  return {mean, 1.0F / __builtin_sqrtf(variance + kEpsilon)};
}

/// Normalisation and activation of one row of a product, written to `to` or added to it.
template <Activation kActivation, bool kNormalize, bool kAdd>
inline void finish_row(const Layer& layer, const float* row, float* to) {
  const Moments moments = kNormalize ? moments_of(row, layer.out) : Moments{0.0F, 1.0F};
  const float shift = -moments.mean * moments.inverse_deviation;
  const auto finished = [&](Floats x, std::int64_t i, const auto& load_part) {
    if constexpr (kNormalize) {
      x = (x * moments.inverse_deviation + shift) * load_part(layer.norm_weight + i) +
          load_part(layer.norm_bias + i);
    }
    x = activate(kActivation, x);
    return kAdd ? load_part(to + i) + x : x;
  };
  std::int64_t i = 0;
  for (; i + kLanes <= layer.out; i += kLanes) {
    store(to + i, finished(load(row + i), i, [](const float* from) { return load(from); }));
  }
  if (const std::int64_t left = layer.out - i; left > 0) {
    const auto load_left = [=](const float* from) { return load_some(from, left); };
    store_some(to + i, finished(load_left(row + i), i, load_left), left);
  }
}

template <Activation kActivation>
inline void finish_rows(const Layer& layer, const float* rows, std::int64_t count, bool add, float* to) {
  const bool normalize = layer.norm_weight != nullptr;
  const auto finish =
      normalize ? (add ? finish_row<kActivation, true, true> : finish_row<kActivation, true, false>)
                : (add ? finish_row<kActivation, false, true> : finish_row<kActivation, false, false>);
  for (std::int64_t row = 0; row < count; ++row) {
    finish(layer, rows + row * layer.out, to + row * layer.out);
  }
}

inline void finish(const Layer& layer, const float* rows, std::int64_t count, bool add, float* to) {
  switch (layer.activation) {
    case Activation::none:
      return finish_rows<Activation::none>(layer, rows, count, add, to);
    case Activation::relu:
      return finish_rows<Activation::relu>(layer, rows, count, add, to);
    case Activation::gelu:
      return finish_rows<Activation::gelu>(layer, rows, count, add, to);
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
