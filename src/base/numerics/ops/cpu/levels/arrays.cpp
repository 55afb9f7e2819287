// The kernels of plain arrays of the level MOLGAUGE_LEVEL. This file is compiled once for each vector width,
// with the -m flags of the level.

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/attention.h"
#include "base/numerics/ops/cpu/levels/group_products.h"
#include "base/numerics/ops/cpu/levels/pairs.h"
#include "base/numerics/ops/cpu/levels/small_products.h"
#include "base/numerics/ops/cpu/levels/strided_product.h"
#include "base/numerics/ops/cpu/levels/vector.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {
namespace {

constexpr int kPointVectors = kPanelPoints / kLanes;

/// Number of queries whose sums are in registers at the same time. The sums take as many registers as a tile
/// of a product. The number is at most kGroupQueries.
constexpr int kSumsTogether = kTileRows * kTileVectors / kPointVectors;

constexpr int kQueriesTogether = kSumsTogether < int{kGroupQueries} ? kSumsTogether : int{kGroupQueries};

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

// Loops over rows of numbers that do not alias. Compilers vectorise these loops.

inline void add_message(const float* __restrict source, const float* __restrict kind, std::int64_t width,
                        float* __restrict sum) {
  for (std::int64_t i = 0; i < width; ++i) {
    const float message = source[i] + kind[i];
    // If the message is NaN, the sum becomes NaN.
    sum[i] += message < 0.0F ? 0.0F : message;
  }
}

inline void message_passing(const MessagePassing& graph, std::int64_t first, std::int64_t last, float* out) {
  const std::int64_t width = graph.width;
  for (std::int64_t node = first; node < last; ++node, out += width) {
    __builtin_memcpy(out, graph.nodes + node * width, static_cast<std::size_t>(width) * sizeof(float));
    for (std::int64_t edge = graph.first[node]; edge < graph.first[node + 1]; ++edge) {
      add_message(graph.nodes + graph.source[edge] * width, graph.kinds + graph.kind[edge] * width, width,
                  out);
    }
  }
}

/// Combines all rows of each run. The result of a run starts as `neutral`, and join(result, number) adds a
/// row to it.
template <typename Join>
inline void reduce(const float* rows, const Runs& runs, float neutral, float* results, Join join) {
  for (std::int64_t run = 0; run < runs.count; ++run) {
    float* __restrict const result = results + run * runs.width;
    for (std::int64_t i = 0; i < runs.width; ++i) {
      result[i] = neutral;
    }
    for (std::int64_t row = runs.first[run]; row < runs.first[run + 1]; ++row) {
      const float* __restrict const numbers = rows + row * runs.width;
      for (std::int64_t i = 0; i < runs.width; ++i) {
        result[i] = join(result[i], numbers[i]);
      }
    }
  }
}

inline void segment_sum(const float* rows, const Runs& runs, float* sums) {
  reduce(rows, runs, 0.0F, sums, [](float sum, float number) { return sum + number; });
}

inline void segment_max(const float* rows, const Runs& runs, float* largest) {
  // If a number is NaN, the maximum is NaN, as in ATen.
  reduce(rows, runs, -__builtin_inff(), largest,
         [](float most, float number) { return most >= number || most != most ? most : number; });
}

inline void add_to_segments(const float* rows, const float* addends, const Runs& runs, float* sums) {
  for (std::int64_t run = 0; run < runs.count; ++run) {
    const float* __restrict const addend = addends + run * runs.width;
    for (std::int64_t row = runs.first[run]; row < runs.first[run + 1]; ++row) {
      const float* __restrict const numbers = rows + row * runs.width;
      float* __restrict const sum = sums + row * runs.width;
      for (std::int64_t i = 0; i < runs.width; ++i) {
        sum[i] = numbers[i] + addend[i];
      }
    }
  }
}

}  // namespace

static_assert(kLanes <= kMaxHeadsAtOnce);

extern const ArrayKernels kArrayKernels;
const ArrayKernels kArrayKernels = {.pair_attention = pair_attention,
                                    .gaussian_rows = gaussian_rows,
                                    .message_passing = message_passing,
                                    .preference_pairs = preference_pairs,
                                    .compare_panel = compare_panel,
                                    .strided_product = strided_product,
                                    .paired_product = paired_product,
                                    .rows_product = rows_product,
                                    .segment_sum = segment_sum,
                                    .segment_max = segment_max,
                                    .add_to_segments = add_to_segments};

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
