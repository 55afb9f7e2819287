#include "ops/neighbours/panel_kernel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HEADROOM_HAS_AVX2_VARIANT 1
#include <immintrin.h>
#endif

namespace headroom::ops {

bool compare_anywhere(std::size_t pairs, const QueryGroup& queries, Panel panel, PanelComparison& result) {
  bool any = false;
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    std::array<std::int32_t, kPanelPoints> sums{};
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::int16_t* const query = queries.codes + 2 * (i * kGroupQueries + q);
      const std::int16_t* const points = panel.codes + 2 * i * kPanelPoints;
      for (std::size_t p = 0; p < kPanelPoints; ++p) {
        sums[p] += query[0] * points[2 * p] + query[1] * points[2 * p + 1];
      }
    }
    unsigned below = 0;
    for (std::size_t p = 0; p < kPanelPoints; ++p) {
      const float value = panel.norms[p] - queries.weights[q] * static_cast<float>(sums[p]);
      result.values[q][p] = value;
      below |= static_cast<unsigned>(value < queries.bounds[q]) << p;
    }
    result.below[q] = static_cast<std::uint16_t>(below);
    any |= below != 0;
  }
  return any;
}

#ifdef HEADROOM_HAS_AVX2_VARIANT
namespace {

/// Both coordinates of a pair, repeated in every lane.
[[gnu::target("avx2,fma")]] inline __m256i broadcast_pair(const std::int16_t* pair) {
  std::int32_t both;
  __builtin_memcpy(&both, pair, sizeof both);
  return _mm256_set1_epi32(both);
}

[[gnu::target("avx2,fma")]] inline unsigned lanes_below(__m256 values, __m256 bound) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(values, bound, _CMP_LT_OQ)));
}

constexpr std::size_t kHalf = kGroupQueries / 2;

/// Compares half a group: the queries from `first` on.
[[gnu::target("avx2,fma")]] bool compare_half_with_avx2(std::size_t pairs, const QueryGroup& queries,
                                                        std::size_t first, Panel panel,
                                                        PanelComparison& result) {
  __m256i low[kHalf], high[kHalf];
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kHalf; ++q) {
    low[q] = high[q] = _mm256_setzero_si256();
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto* const points = reinterpret_cast<const __m256i*>(panel.codes + 2 * i * kPanelPoints);
    const __m256i left = _mm256_loadu_si256(points), right = _mm256_loadu_si256(points + 1);
#pragma GCC unroll 6
    for (std::size_t q = 0; q < kHalf; ++q) {
      const __m256i query = broadcast_pair(queries.codes + 2 * (i * kGroupQueries + first + q));
      low[q] = _mm256_add_epi32(low[q], _mm256_madd_epi16(query, left));
      high[q] = _mm256_add_epi32(high[q], _mm256_madd_epi16(query, right));
      // Keeps the compiler from interleaving several queries, for which there are too few registers.
      asm("" : "+x"(low[q]), "+x"(high[q]));
    }
  }
  const __m256 norms_low = _mm256_loadu_ps(panel.norms), norms_high = _mm256_loadu_ps(panel.norms + 8);
  bool any = false;
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kHalf; ++q) {
    const __m256 weight = _mm256_set1_ps(queries.weights[first + q]);
    const __m256 bound = _mm256_set1_ps(queries.bounds[first + q]);
    const __m256 left = _mm256_fnmadd_ps(weight, _mm256_cvtepi32_ps(low[q]), norms_low);
    const __m256 right = _mm256_fnmadd_ps(weight, _mm256_cvtepi32_ps(high[q]), norms_high);
    const unsigned below = lanes_below(left, bound) | lanes_below(right, bound) << 8U;
    result.below[first + q] = static_cast<std::uint16_t>(below);
    if (below != 0) {
      any = true;
      _mm256_storeu_ps(result.values[first + q].data(), left);
      _mm256_storeu_ps(result.values[first + q].data() + 8, right);
    }
  }
  return any;
}

[[gnu::target("avx2,fma")]] bool compare_with_avx2(std::size_t pairs, const QueryGroup& queries, Panel panel,
                                                   PanelComparison& result) {
  const bool any = compare_half_with_avx2(pairs, queries, 0, panel, result);
  return compare_half_with_avx2(pairs, queries, kHalf, panel, result) || any;
}

#define HEADROOM_VNNI_TARGET "avx512f,avx512bw,avx512vnni"

/// _mm512_cvtepi32_ps without its undefined operand, which GCC 12 warns about (GCC bug 105593).
[[gnu::target(HEADROOM_VNNI_TARGET)]] inline __m512 whole_to_float(__m512i numbers) {
  using Whole = std::int32_t __attribute__((vector_size(64)));
  using Float = float __attribute__((vector_size(64)));
  return reinterpret_cast<__m512>(__builtin_convertvector(reinterpret_cast<Whole>(numbers), Float));
}

[[gnu::target(HEADROOM_VNNI_TARGET)]] bool compare_with_vnni(std::size_t pairs, const QueryGroup& queries,
                                                             Panel panel, PanelComparison& result) {
  __m512i sums[kGroupQueries];
#pragma GCC unroll 12
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    sums[q] = _mm512_setzero_si512();
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const __m512i points = _mm512_loadu_si512(panel.codes + 2 * i * kPanelPoints);
#pragma GCC unroll 12
    for (std::size_t q = 0; q < kGroupQueries; ++q) {
      std::int32_t pair;
      __builtin_memcpy(&pair, queries.codes + 2 * (i * kGroupQueries + q), sizeof pair);
      sums[q] = _mm512_dpwssd_epi32(sums[q], points, _mm512_set1_epi32(pair));
    }
  }
  const __m512 norms = _mm512_loadu_ps(panel.norms);
  bool any = false;
#pragma GCC unroll 12
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    const __m512 values =
        _mm512_fnmadd_ps(_mm512_set1_ps(queries.weights[q]), whole_to_float(sums[q]), norms);
    const __mmask16 below = _mm512_cmp_ps_mask(values, _mm512_set1_ps(queries.bounds[q]), _CMP_LT_OQ);
    result.below[q] = below;
    if (below != 0) {
      any = true;
      _mm512_storeu_ps(result.values[q].data(), values);
    }
  }
  return any;
}

}  // namespace
#endif

PanelKernel choose_panel_kernel() {
#ifdef HEADROOM_HAS_AVX2_VARIANT
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vnni")) {
    return compare_with_vnni;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return compare_with_avx2;
  }
#endif
  return compare_anywhere;
}

}  // namespace headroom::ops
