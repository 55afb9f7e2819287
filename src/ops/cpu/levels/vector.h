#pragma once

// The vectors of one instruction set, and what else differs between them. Every file of this folder is
// compiled once for each level (ops/cpu/instruction_level.h) with that level's -m flags; HEADROOM_LEVEL names
// the level.
//
// Nothing of the standard library that the linker could merge may be used here: it would merge code for one
// CPU with code for another.

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// HEADROOM_EMULATED_AVX512: the shape of the highest levels in plain C++, for tests on CPUs that lack them.
#if defined(HEADROOM_EMULATED_AVX512) || defined(__AVX512VNNI__)
#define HEADROOM_BYTES
#endif

#include "ops/cpu/kernels.h"

namespace headroom::ops::cpu::HEADROOM_LEVEL {

#if defined(__AVX512F__) || defined(HEADROOM_EMULATED_AVX512)
inline constexpr int kLanes = 16;
/// Rows, and vectors of columns, of the tile of a product that registers hold.
inline constexpr int kTileRows = 8, kTileVectors = 3;
#elif defined(__AVX2__)
inline constexpr int kLanes = 8;
inline constexpr int kTileRows = 6, kTileVectors = 2;
#else
inline constexpr int kLanes = 4;
inline constexpr int kTileRows = 4, kTileVectors = 2;
#endif

inline constexpr int kPanel = kLanes * kTileVectors;  ///< columns of a tile

using Floats = float __attribute__((vector_size(4 * kLanes)));
using Integers = std::int32_t __attribute__((vector_size(4 * kLanes)));
using UnalignedFloats = float __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));
/// 32 bits of a row that was rounded to smaller numbers (ops::cpu::Group).
using GroupBits = std::uint32_t __attribute__((may_alias));
using UnalignedIntegers = std::int32_t __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

inline Floats load(const void* from) { return *static_cast<const UnalignedFloats*>(from); }
inline void store(float* to, Floats numbers) { *reinterpret_cast<UnalignedFloats*>(to) = numbers; }
inline Integers load_integers(const void* from) { return *static_cast<const UnalignedIntegers*>(from); }

/// The lanes of a vector that lie within a row; the rest of it is 0.
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

/// Halves are added until one number is left: a sum from lane to lane would wait for each addition.
inline float sum_of(Floats numbers) {
  float sums[kLanes];
  store(sums, numbers);
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) {
      sums[lane] += sums[lane + half];
    }
  }
  return sums[0];
}

inline float largest_of(Floats numbers) {
  float largest = numbers[0];
  for (int lane = 1; lane < kLanes; ++lane) {
    largest = numbers[lane] > largest ? numbers[lane] : largest;
  }
  return largest;
}

// What int8 rows are rounded to: where the CPU sums the products of four bytes at once, unsigned bytes.
#ifdef HEADROOM_BYTES
using Rounded = std::uint8_t;
inline constexpr int kRoundedShift = kByteShift;
inline constexpr Group kIntegerGroup = Group::four_bytes;
#else
using Rounded = std::int16_t;
inline constexpr int kRoundedShift = 0;
inline constexpr Group kIntegerGroup = Group::two_integers;
#endif
inline constexpr std::int64_t kIntegersTogether = numbers_in(kIntegerGroup);

#ifdef HEADROOM_BYTES

/// sum + a0 b0 + a1 b1 + a2 b2 + a3 b3 in every lane, where a lane holds four bytes, of `a` unsigned.
inline Integers add_products(Integers sum, Integers a, Integers b) {
#ifdef HEADROOM_EMULATED_AVX512
  for (int byte = 0; byte < 4; ++byte) {
    sum += ((a >> (8 * byte)) & 0xFF) * ((b << (24 - 8 * byte)) >> 24);
  }
  return sum;
#else
  return (Integers)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#endif
}

#else

/// sum + a0 b0 + a1 b1 in every lane, where a lane holds two 16-bit integers.
inline Integers add_products(Integers sum, Integers a, Integers b) {
#if defined(__AVX512BW__)
  return sum + (Integers)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return sum + (Integers)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return sum + (Integers)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
  return sum + (((a << 16) >> 16) * ((b << 16) >> 16)) + ((a >> 16) * (b >> 16));
#endif
}

#endif

}  // namespace headroom::ops::cpu::HEADROOM_LEVEL
