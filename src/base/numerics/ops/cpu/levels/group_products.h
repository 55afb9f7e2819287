#pragma once

#include "base/numerics/ops/cpu/levels/vector.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(MOLGAUGE_NEON)
#include <arm_neon.h>
#endif

// The number formats of rows and weights in precisions below fp32 (ops::cpu::Group). The instructions
// multiply such numbers, and add the products within each 32-bit lane.

// The level multiplies unsigned bytes of rows with signed bytes of weights (VNNI).
#if defined(__AVX512VNNI__) || defined(__AVXVNNI__) || defined(MOLGAUGE_EMULATED_AVX512) || \
    defined(MOLGAUGE_EMULATED_AVX2)
#define MOLGAUGE_UNSIGNED_BYTES
#endif

// The level multiplies signed bytes of rows with signed bytes of weights (SDOT of the Arm architecture).
#if (defined(MOLGAUGE_NEON) && defined(__ARM_FEATURE_DOTPROD)) || defined(MOLGAUGE_EMULATED_NEON)
#define MOLGAUGE_SIGNED_BYTES
#endif

// The level multiplies pairs of bfloat16. MOLGAUGE_EMULATED_BFLOAT16 adds this ability to an emulated level.
#if defined(__AVX512BF16__) || (defined(MOLGAUGE_NEON) && defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)) || \
    defined(MOLGAUGE_EMULATED_BFLOAT16)
#define MOLGAUGE_BFLOAT16
#endif

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

#if defined(MOLGAUGE_UNSIGNED_BYTES)
using Rounded = std::uint8_t;
inline constexpr int kRoundedShift = kByteShift;
inline constexpr Group kIntegerGroup = Group::four_bytes;
#elif defined(MOLGAUGE_SIGNED_BYTES)
using Rounded = std::int8_t;
inline constexpr int kRoundedShift = 0;
inline constexpr Group kIntegerGroup = Group::four_signed_bytes;
#else
using Rounded = std::int16_t;
inline constexpr int kRoundedShift = 0;
inline constexpr Group kIntegerGroup = Group::two_integers;
#endif
inline constexpr std::int64_t kIntegersTogether = numbers_in(kIntegerGroup);

/// Returns sum + a0 b0 + a1 b1 in every lane. A lane of `a` and `b` contains two 16-bit integers.
inline Integers add_products_of_two(Integers sum, Integers a, Integers b) {
#if defined(MOLGAUGE_EMULATED)
  return sum + (((a << 16) >> 16) * ((b << 16) >> 16)) + ((a >> 16) * (b >> 16));
#elif defined(__AVX512VNNI__)
  return (Integers)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__AVXVNNI__)
  return (Integers)_mm256_dpwssd_avx_epi32((__m256i)sum, (__m256i)a, (__m256i)b);
#elif defined(__AVX512BW__)
  return sum + (Integers)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return sum + (Integers)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return sum + (Integers)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(MOLGAUGE_NEON)
  const auto left = (int16x8_t)a, right = (int16x8_t)b;
  const int32x4_t low = vmull_s16(vget_low_s16(left), vget_low_s16(right));
  return sum + (Integers)vpaddq_s32(low, vmull_high_s16(left, right));
#else
  return sum + (((a << 16) >> 16) * ((b << 16) >> 16)) + ((a >> 16) * (b >> 16));
#endif
}

#if defined(MOLGAUGE_UNSIGNED_BYTES) || defined(MOLGAUGE_SIGNED_BYTES)
/// Returns sum + a0 b0 + a1 b1 + a2 b2 + a3 b3 in every lane. A lane of `a` and `b` contains four bytes. `a`
/// is of type Rounded.
inline Integers add_products_of_four(Integers sum, Integers a, Integers b) {
#if defined(MOLGAUGE_EMULATED)
  for (int byte = 0; byte < 4; ++byte) {
    const Integers signed_byte = (a << (24 - 8 * byte)) >> 24;
    sum += (kRoundedShift == 0 ? signed_byte : signed_byte & 0xFF) * ((b << (24 - 8 * byte)) >> 24);
  }
  return sum;
#elif defined(__AVX512VNNI__)
  return (Integers)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__AVXVNNI__)
  return (Integers)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)a, (__m256i)b);
#else
  return (Integers)vdotq_s32((int32x4_t)sum, (int8x16_t)a, (int8x16_t)b);
#endif
}
#endif

/// Adds the integer products of each lane to `sum`. A lane contains two or four integers, depending on
/// kIntegerGroup.
inline Integers add_products(Integers sum, Integers a, Integers b) {
#if defined(MOLGAUGE_UNSIGNED_BYTES) || defined(MOLGAUGE_SIGNED_BYTES)
  return add_products_of_four(sum, a, b);
#else
  return add_products_of_two(sum, a, b);
#endif
}

#ifdef MOLGAUGE_BFLOAT16
/// Returns sum + a0 b0 + a1 b1 in every lane. A lane of `a` and `b` contains two bfloat16. Intermediate
/// rounding differs between instruction sets.
inline Floats add_products(Floats sum, Integers a, Integers b) {
#if defined(MOLGAUGE_EMULATED)
  constexpr std::int32_t kUpperHalf = -0x10000;
  sum += (Floats)(a << 16) * (Floats)(b << 16);
  return sum + (Floats)(a & kUpperHalf) * (Floats)(b & kUpperHalf);
#elif defined(__AVX512BF16__)
  return (Floats)_mm512_dpbf16_ps((__m512)sum, (__m512bh)a, (__m512bh)b);
#else
  return (Floats)vbfdotq_f32((float32x4_t)sum, (bfloat16x8_t)a, (bfloat16x8_t)b);
#endif
}
#endif

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
