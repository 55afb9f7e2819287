#pragma once

// Vectors of float32 of one instruction set, for levels/pair_terms.cpp. As in numerics/ops/cpu/levels, code
// of the standard library that the linker could merge must not be used here.

#include <cstddef>
#include <cstdint>

namespace molgauge::chem::fast::MOLGAUGE_LEVEL {

#if defined(__AVX512F__)
inline constexpr std::size_t kWide = 16;
#elif defined(__AVX2__)
inline constexpr std::size_t kWide = 8;
#else
inline constexpr std::size_t kWide = 4;
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

}  // namespace molgauge::chem::fast::MOLGAUGE_LEVEL
