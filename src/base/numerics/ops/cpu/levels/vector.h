#pragma once

// The vectors of one instruction set, and other differences between instruction sets. Every file of this
// folder is compiled once for each level (base/numerics/ops/cpu/instruction_level.h) with the -m flags of
// that level. MOLGAUGE_LEVEL names the level.
//
// The compiler keeps an array of vectors in registers if all its indices are constants. Every loop over such
// an array is therefore unrolled (#pragma GCC unroll), including loops that initialise and store the sums of
// a tile.
//
// Do not use code of the standard library here that the linker could merge. Otherwise code for different CPUs
// would be mixed.

#include <cstdint>
#include <utility>

#include "base/numerics/ops/cpu/kernels.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

// MOLGAUGE_EMULATED_AVX512, MOLGAUGE_EMULATED_AVX2 and MOLGAUGE_EMULATED_NEON emulate the vectors of these
// levels in plain C++. Tests can then run the code of levels that the CPU does not have. The aarch64 levels
// set MOLGAUGE_NEON.
#if defined(MOLGAUGE_EMULATED_AVX512) || defined(MOLGAUGE_EMULATED_AVX2) || defined(MOLGAUGE_EMULATED_NEON)
#define MOLGAUGE_EMULATED
#endif

#if defined(__AVX512F__) || defined(MOLGAUGE_EMULATED_AVX512)
inline constexpr std::ptrdiff_t kLanes = 16;
/// The size of a tile of the product, in rows and in vectors of columns. A tile is kept in 32 registers.
inline constexpr int kTileRows = 8, kTileVectors = 3;
#elif defined(__AVX2__) || defined(MOLGAUGE_EMULATED_AVX2)
inline constexpr std::ptrdiff_t kLanes = 8;
inline constexpr int kTileRows = 6, kTileVectors = 2;  // for CPUs with 16 registers
#elif defined(MOLGAUGE_NEON) || defined(MOLGAUGE_EMULATED_NEON)
inline constexpr std::ptrdiff_t kLanes = 4;
inline constexpr int kTileRows = 6,
                     kTileVectors = 3;  // for CPUs with 32 registers. Each row of the input takes one
                                        // register
#else
inline constexpr std::ptrdiff_t kLanes = 4;
inline constexpr int kTileRows = 4, kTileVectors = 2;
#endif

inline constexpr std::ptrdiff_t kPanel = kLanes * kTileVectors;  ///< columns of a tile

using Floats = float __attribute__((vector_size(4 * kLanes)));
using Integers = std::int32_t __attribute__((vector_size(4 * kLanes)));
// Clang ignores `aligned` after the equals sign, and GCC forgets it before the equals sign if `auto` deduces
// the type. Unaligned types therefore have it at both places.
using UnalignedFloats __attribute__((aligned(4))) =
    float __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));
/// A group (ops::cpu::Group) of a row that was rounded to a smaller number type.
using GroupBits = std::uint32_t __attribute__((may_alias));
using UnalignedIntegers __attribute__((aligned(4))) =
    std::int32_t __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

inline Floats load(const void* from) { return *static_cast<const UnalignedFloats*>(from); }
inline void store(float* to, Floats numbers) { *reinterpret_cast<UnalignedFloats*>(to) = numbers; }
inline Integers load_integers(const void* from) { return *static_cast<const UnalignedIntegers*>(from); }

/// Loads the first `count` numbers into the lanes of a vector. The remaining lanes are 0.
inline Floats load_some(const float* from, std::int64_t count) {
  if (count >= kLanes) {
    return load(from);
  }
  Floats numbers = {};
  for (int lane = 0; lane < count; ++lane) {
    numbers[lane] = from[lane];
  }
  return numbers;
}

inline void store_some(float* to, Floats numbers, std::int64_t count) {
  if (count >= kLanes) {
    store(to, numbers);
    return;
  }
  for (int lane = 0; lane < count; ++lane) {
    to[lane] = numbers[lane];
  }
}

inline Floats splat(float number) { return number - Floats{}; }
inline Floats smaller(Floats a, Floats b) { return a < b ? a : b; }
inline Floats larger(Floats a, Floats b) { return a > b ? a : b; }

/// Adds the upper and the lower half of a vector, until one number is left. kLane: the lanes of a half.
template <typename Vector, int... kLane>
inline float sum_of_halves(Vector numbers, std::integer_sequence<int, kLane...> /*lanes*/) {
  constexpr int kHalf = sizeof...(kLane);
  const auto sums = __builtin_shufflevector(numbers, numbers, kLane...) +
                    __builtin_shufflevector(numbers, numbers, (kLane + kHalf)...);
  if constexpr (kHalf > 2) {
    return sum_of_halves(sums, std::make_integer_sequence<int, kHalf / 2>());
  } else {
    return sums[0] + sums[1];
  }
}

/// Returns the sum of all lanes by adding halves of the vector. Adding lane by lane would be slower, because
/// each addition would wait for the previous one.
inline float sum_of(Floats numbers) {
  return sum_of_halves(numbers, std::make_integer_sequence<int, kLanes / 2>());
}

inline float largest_of(Floats numbers) {
  float largest = numbers[0];
  for (int lane = 1; lane < kLanes; ++lane) {
    largest = numbers[lane] > largest ? numbers[lane] : largest;
  }
  return largest;
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
