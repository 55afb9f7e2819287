#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loop of the neighbour search: 16 points and 12 queries in integers.
namespace headroom::ops::cpu {

inline constexpr std::size_t kPanelPoints = 16;
/// Number of queries that are compared at once. With 16 points, there are then enough sums to hide the
/// latency of AVX-512 products. Other levels keep only a part of the sums in registers.
inline constexpr std::size_t kGroupQueries = 12;

/// Coordinates are stored in pairs. One instruction multiplies two pairs and adds the products. An odd width
/// is padded with a zero.
struct Panel {
  const std::int16_t* codes;  ///< [pairs, 16, 2]
  const float* norms;         ///< [16]
};

struct QueryGroup {
  const std::int16_t* codes;  ///< [pairs, 12, 2]
  float weights[kGroupQueries] = {}, bounds[kGroupQueries] = {};
};

struct PanelComparison {
  /// [q][p] = norms[p] - weights[q] * sum_i query[q][i] point[p][i]; The sum is exact if it fits in 32 bits.
  /// Rounding of the float operations depends on the level. Values of a query without a bit in `below` may be
  /// unset.
  float values[kGroupQueries][kPanelPoints];
  std::uint16_t below[kGroupQueries];  ///< bit p of element q: the value is below the bound of the query
};

}  // namespace headroom::ops::cpu
