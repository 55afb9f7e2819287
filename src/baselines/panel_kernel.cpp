#include "baselines/panel_kernel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HEADROOM_HAS_AVX2_VARIANT 1
#include <immintrin.h>
#endif

namespace headroom::baselines {

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

/// Both coordinates of a pair, in every lane.
[[gnu::target("avx2,fma")]] inline __m256i broadcast_pair(const std::int16_t* pair) {
  std::int32_t both;
  __builtin_memcpy(&both, pair, sizeof both);
  return _mm256_set1_epi32(both);
}

[[gnu::target("avx2,fma")]] inline unsigned lanes_below(__m256 values, __m256 bound) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(values, bound, _CMP_LT_OQ)));
}

[[gnu::target("avx2,fma")]] bool compare_with_avx2(std::size_t pairs, const QueryGroup& queries, Panel panel,
                                                   PanelComparison& result) {
  __m256i low[kGroupQueries], high[kGroupQueries];
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    low[q] = high[q] = _mm256_setzero_si256();
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto* const points = reinterpret_cast<const __m256i*>(panel.codes + 2 * i * kPanelPoints);
    const __m256i left = _mm256_loadu_si256(points), right = _mm256_loadu_si256(points + 1);
#pragma GCC unroll 6
    for (std::size_t q = 0; q < kGroupQueries; ++q) {
      const __m256i query = broadcast_pair(queries.codes + 2 * (i * kGroupQueries + q));
      low[q] = _mm256_add_epi32(low[q], _mm256_madd_epi16(query, left));
      high[q] = _mm256_add_epi32(high[q], _mm256_madd_epi16(query, right));
      // Keeps the compiler from working on several queries at once, for which there are too few registers.
      asm("" : "+x"(low[q]), "+x"(high[q]));
    }
  }
  const __m256 norms_low = _mm256_loadu_ps(panel.norms), norms_high = _mm256_loadu_ps(panel.norms + 8);
  __m256 left[kGroupQueries], right[kGroupQueries], any = _mm256_setzero_ps();
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    const __m256 weight = _mm256_set1_ps(queries.weights[q]), bound = _mm256_set1_ps(queries.bounds[q]);
    left[q] = _mm256_fnmadd_ps(weight, _mm256_cvtepi32_ps(low[q]), norms_low);
    right[q] = _mm256_fnmadd_ps(weight, _mm256_cvtepi32_ps(high[q]), norms_high);
    any = _mm256_or_ps(any, _mm256_cmp_ps(_mm256_min_ps(left[q], right[q]), bound, _CMP_LT_OQ));
  }
  if (_mm256_movemask_ps(any) == 0) {
    return false;
  }
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    const __m256 bound = _mm256_set1_ps(queries.bounds[q]);
    _mm256_storeu_ps(result.values[q].data(), left[q]);
    _mm256_storeu_ps(result.values[q].data() + 8, right[q]);
    result.below[q] =
        static_cast<std::uint16_t>(lanes_below(left[q], bound) | lanes_below(right[q], bound) << 8U);
  }
  return true;
}

}  // namespace
#endif

PanelKernel choose_panel_kernel() {
#ifdef HEADROOM_HAS_AVX2_VARIANT
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return compare_with_avx2;
  }
#endif
  return compare_anywhere;
}

}  // namespace headroom::baselines
