#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loop of the neighbour search. It compares 16 points with 12 queries in integer arithmetic.
namespace molgauge::ops::cpu {

inline constexpr std::size_t kPanelPoints = 16;
/// Number of queries that are compared at once. The sums of 12 queries and 16 points are enough to hide the
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
  /// Contains values[q][p] = norms[p] - weights[q] * (sum over i of query[q][i] point[p][i]). The sum is
  /// exact if it fits in 32 bits. The rounding of the float operations depends on the level. If `below` has
  /// no bit for a query, the values of this query may be undefined.
  float values[kGroupQueries][kPanelPoints];
  std::uint16_t below[kGroupQueries];  ///< bit p of element q is set if values[q][p] is below bounds[q]
};

}  // namespace molgauge::ops::cpu
