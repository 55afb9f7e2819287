#pragma once

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/group_products.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

inline constexpr int kPointVectors = kPanelPoints / kLanes;
/// Number of queries whose sums are in registers at the same time. The sums take as many registers as a tile
/// of a product. The number is at most kGroupQueries.
inline constexpr int kSumsTogether = kTileRows * kTileVectors / kPointVectors;
inline constexpr int kQueriesTogether =
    kSumsTogether < int{kGroupQueries} ? kSumsTogether : int{kGroupQueries};
static_assert(kPanelPoints % kLanes == 0 && kGroupQueries % kQueriesTogether == 0);

/// Returns a bit mask. Bit l is set if lane l of `values` is below lane l of `bound`.
inline unsigned lanes_below(Floats values, Floats bound) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask((__m512)values, (__m512)bound, _CMP_LT_OQ);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_ps((__m256)(values < bound)));
#else
  const Integers less = values < bound;
  unsigned bits = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    bits |= (static_cast<unsigned>(less[lane]) & 1U) << lane;
  }
  return bits;
#endif
}

/// Compares kQueriesTogether queries, starting with `first`, with the panel.
inline bool compare_some(std::size_t pairs, const QueryGroup& queries, std::size_t first, Panel panel,
                         PanelComparison& result) {
  Integers sums[kQueriesTogether][kPointVectors] = {};
  const std::int16_t* query_pairs = queries.codes + 2 * first;
  const std::int16_t* points = panel.codes;
  for (std::size_t i = 0; i < pairs; ++i, query_pairs += 2 * kGroupQueries, points += 2 * kPanelPoints) {
    Integers own[kPointVectors];
#pragma GCC unroll 4
    for (std::ptrdiff_t vector = 0; vector < kPointVectors; ++vector) {
      own[vector] = load_integers(points + 2 * vector * kLanes);
    }
#pragma GCC unroll 12
    for (std::ptrdiff_t query = 0; query < kQueriesTogether; ++query) {
      std::int32_t pair;
      __builtin_memcpy(&pair, query_pairs + 2 * query, sizeof(pair));
      const Integers both = pair - Integers{};
#pragma GCC unroll 4
      for (int vector = 0; vector < kPointVectors; ++vector) {
        sums[query][vector] = add_products_of_two(sums[query][vector], both, own[vector]);
      }
    }
  }
  bool any = false;
#pragma GCC unroll 12
  for (int query = 0; query < kQueriesTogether; ++query) {
    const std::size_t place = first + static_cast<std::size_t>(query);
    Floats values[kPointVectors];
    unsigned below = 0;
#pragma GCC unroll 4
    for (int vector = 0; vector < kPointVectors; ++vector) {
      values[vector] = load(panel.norms + vector * kLanes) -
                       queries.weights[place] * __builtin_convertvector(sums[query][vector], Floats);
      below |= lanes_below(values[vector], splat(queries.bounds[place])) << (vector * kLanes);
    }
    result.below[place] = static_cast<std::uint16_t>(below);
    if (below != 0) {
      any = true;
      for (int vector = 0; vector < kPointVectors; ++vector) {
        store(result.values[place] + vector * kLanes, values[vector]);
      }
    }
  }
  return any;
}

inline bool compare_panel(std::size_t pairs, const QueryGroup& queries, Panel panel,
                          PanelComparison& result) {
  bool any = false;
  for (std::size_t first = 0; first < kGroupQueries; first += kQueriesTogether) {
    any = compare_some(pairs, queries, first, panel, result) || any;
  }
  return any;
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
