#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loop of a search for neighbours: sixteen points against twelve queries, in whole numbers.
namespace headroom::ops::cpu {

inline constexpr std::size_t kPanelPoints = 16;
/// With 16 points their sums are as many as AVX-512's products take to come out; the registers of other
/// levels hold a part of them at a time.
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
  std::uint16_t below[kGroupQueries];  ///< bit p of [q]: the value lies below the query's bound
};

}  // namespace headroom::ops::cpu
