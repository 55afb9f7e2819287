// The terms of pairs of atoms of the level MOLGAUGE_LEVEL. A vector has the atoms j of consecutive pairs (i,
// j). Each pair is computed twice, as (i, j) and (j, i). Sums over i then stay in registers, and nothing is
// written before the end of a column.

#include <cstddef>
#include <cstdint>

#include "molecules/chem/conformers/fast/levels/level.h"

namespace molgauge::chem::fast::MOLGAUGE_LEVEL {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t kWide = 16;
#elif defined(__AVX2__)
constexpr std::size_t kWide = 8;
#else
constexpr std::size_t kWide = 4;
#endif
using Floats = float __attribute__((vector_size(4 * kWide)));
using Integers = std::int32_t __attribute__((vector_size(4 * kWide)));

// base/numerics/ops/cpu/levels/vector.h explains why `aligned` is there twice.
using UnalignedFloats __attribute__((aligned(4))) =
    float __attribute__((vector_size(4 * kWide), aligned(4), may_alias));

inline Floats load(const float* from) { return *reinterpret_cast<const UnalignedFloats*>(from); }
inline void store(float* to, Floats numbers) { *reinterpret_cast<UnalignedFloats*>(to) = numbers; }
inline Floats all(float number) { return Floats{} + number; }
inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }

inline double sum_of(Floats numbers) {
  double sum = 0;
  for (std::size_t lane = 0; lane < kWide; ++lane) {
    sum += static_cast<double>(numbers[lane]);
  }
  return sum;
}

/// 1 / sqrt(a) of positive normal numbers, with an error of two units in the last place. Only exact
/// operations and products are used, so that all CPUs give the same results.
inline Floats inverse_root(Floats a) {
  const Integers guess = 0x5f3759df - (reinterpret_cast<Integers>(a) >> 1);
  Floats root = reinterpret_cast<Floats>(guess);
  const Floats half = a * 0.5F;
  root *= 1.5F - half * root * root;
  root *= 1.5F - half * root * root;
  return root * (1.5F - half * root * root);
}

constexpr float kLeastSquaredDistance = 1e-6F;
constexpr std::size_t kFlush = 16;  ///< pairs whose energies are added in float32

}  // namespace

template <bool has_fourth>
static PairEnergy limits(LimitPairs pairs, const float* points, float* slopes) {
  const std::size_t n = pairs.shape.atoms, square = pairs.shape.square;
  const float *const x = points, *const y = x + square, *const z = y + square, *const w = z + square;
  PairEnergy energy;
  Floats largest = {};
  for (std::size_t j = 0; j < n; j += kWide) {
    const Floats xj = load(x + j), yj = load(y + j), zj = load(z + j),
                 wj = has_fourth ? load(w + j) : Floats{};
    Floats gx = {}, gy = {}, gz = {}, gw = {}, sum = {};
    for (std::size_t i = 0; i < n; ++i) {
      const Floats lower = load(pairs.lower_squared + i * square + j),
                   inverse_upper = load(pairs.inverse_upper_squared + i * square + j);
      const Floats dx = xj - x[i], dy = yj - y[i], dz = zj - z[i], dw = has_fourth ? wj - w[i] : Floats{};
      Floats squared = dx * dx + dy * dy + dz * dz;
      if (has_fourth) {
        squared += dw * dw;
      }
      const Floats inverse = 1.0F / larger(lower + squared, all(kLeastSquaredDistance));
      // Without an upper limit, `above` is -1 before the comparison, so it is zero.
      const Floats above = larger(squared * inverse_upper - 1.0F, Floats{});
      const Floats share = lower * inverse, below = larger(2.0F * share - 1.0F, Floats{});
      const Floats own = above * above + below * below;
      const Floats factor = above * inverse_upper - 2.0F * below * share * inverse;
      sum += own;
      largest = larger(largest, own);
      gx += factor * dx;
      gy += factor * dy;
      gz += factor * dz;
      if (has_fourth) {
        gw += factor * dw;
      }
    }
    store(slopes + j, 4.0F * gx);
    store(slopes + square + j, 4.0F * gy);
    store(slopes + 2 * square + j, 4.0F * gz);
    if (has_fourth) {
      store(slopes + 3 * square + j, 4.0F * gw);
    }
    energy.total += 0.5 * sum_of(sum);
  }
  for (std::size_t lane = 0; lane < kWide; ++lane) {
    energy.largest = energy.largest > largest[lane] ? energy.largest : largest[lane];
  }
  return energy;
}

PairEnergy limits_3d(LimitPairs pairs, const float* points, float* slopes) {
  return limits<false>(pairs, points, slopes);
}

PairEnergy limits_4d(LimitPairs pairs, const float* points, float* slopes) {
  return limits<true>(pairs, points, slopes);
}

double springs(SpringPairs pairs, const float* points, float* slopes) {
  const std::size_t n = pairs.shape.atoms, square = pairs.shape.square;
  const float *const x = points, *const y = x + square, *const z = y + square;
  double energy = 0;
  for (std::size_t j = 0; j < n; j += kWide) {
    const Floats xj = load(x + j), yj = load(y + j), zj = load(z + j);
    Floats gx = {}, gy = {}, gz = {}, sum = {};
    for (std::size_t i = 0; i < n; ++i) {
      const Floats lower = load(pairs.lower + i * square + j), upper = load(pairs.upper + i * square + j),
                   stiffness = load(pairs.stiffness + i * square + j);
      const Floats dx = xj - x[i], dy = yj - y[i], dz = zj - z[i];
      const Floats squared = larger(dx * dx + dy * dy + dz * dz, all(kLeastSquaredDistance));
      const Floats inverse = inverse_root(squared), distance = squared * inverse;
      const Floats excess = larger(distance - upper, Floats{}) - larger(lower - distance, Floats{});
      const Floats pull = stiffness * excess, factor = pull * inverse;
      sum += pull * excess;
      gx += factor * dx;
      gy += factor * dy;
      gz += factor * dz;
    }
    store(slopes + j, gx);
    store(slopes + square + j, gy);
    store(slopes + 2 * square + j, gz);
    energy += 0.25 * sum_of(sum);
  }
  return energy;
}

/// Each coordinate is the sum of a float32 in `points` and a small float32 in `rest`.
double nonbonded(NonbondedPairs pairs, const float* points, const float* rest, float* slopes) {
  const std::size_t n = pairs.shape.atoms, square = pairs.shape.square;
  const float *const x = points, *const y = x + square, *const z = y + square;
  const float *const rest_x = rest, *const rest_y = rest_x + square, *const rest_z = rest_y + square;
  double energy = 0;
  for (std::size_t j = 0; j < n; j += kWide) {
    const Floats xj = load(x + j), yj = load(y + j), zj = load(z + j);
    const Floats rest_xj = load(rest_x + j), rest_yj = load(rest_y + j), rest_zj = load(rest_z + j);
    Floats gx = {}, gy = {}, gz = {};
    for (std::size_t first = 0; first < n; first += kFlush) {
      Floats sum = {};
      const std::size_t end = first + kFlush < n ? first + kFlush : n;
      for (std::size_t i = first; i < end; ++i) {
        const Floats inverse_radius = load(pairs.inverse_radius + i * square + j),
                     depth = load(pairs.depth + i * square + j),
                     charges = load(pairs.charges + i * square + j);
        const Floats dx = (xj - x[i]) + (rest_xj - rest_x[i]), dy = (yj - y[i]) + (rest_yj - rest_y[i]),
                     dz = (zj - z[i]) + (rest_zj - rest_z[i]);
        const Floats squared = larger(dx * dx + dy * dy + dz * dz, all(kLeastSquaredDistance));
        const Floats inverse_distance = inverse_root(squared), distance = squared * inverse_distance;
        const Floats q = distance * inverse_radius, q2 = q * q, q6 = q2 * q2 * q2;
        // One division computes the reciprocals of a, b and c.
        const Floats a = q + 0.07F, b = q6 * q + 0.12F, c = distance + 0.05F;
        const Floats ab = a * b, inverse = 1.0F / (ab * c), inverse_ab = inverse * c;
        const Floats inverse_a = inverse_ab * b, inverse_b = inverse_ab * a, inverse_c = inverse * ab;
        const Floats t = 1.07F * inverse_a, t2 = t * t;
        const Floats scale = depth * (t2 * t2 * t2 * t), ratio = 1.12F * inverse_b;
        const Floats electrostatic = charges * inverse_c;
        sum += scale * (ratio - 2.0F) + electrostatic;
        const Floats slope_q = 7.0F * scale * ((2.0F - ratio) * inverse_a - ratio * inverse_b * q6);
        const Floats factor = (slope_q * inverse_radius - electrostatic * inverse_c) * inverse_distance;
        gx += factor * dx;
        gy += factor * dy;
        gz += factor * dz;
      }
      energy += 0.5 * sum_of(sum);
    }
    store(slopes + j, gx);
    store(slopes + square + j, gy);
    store(slopes + 2 * square + j, gz);
  }
  return energy;
}

}  // namespace molgauge::chem::fast::MOLGAUGE_LEVEL
