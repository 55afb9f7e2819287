#pragma once

#include <cstddef>
#include <cstdint>

/// The inner loop of a search for neighbours: sixteen points against twelve queries, in whole numbers.
namespace headroom::ops::cpu {

inline constexpr std::size_t kPanelPoints = 16;
/// With 16 points their sums are as many as AVX-512's products take to come out; the registers of other
/// levels hold a part of them at a time.
inline constexpr std::size_t kGroupQueries = 12;

/// Coordinates stand in pairs, whose products one instruction multiplies and adds; an odd width ends with a
/// zero.
struct Panel {
  const std::int16_t* codes;  ///< [pairs, 16, 2]
  const float* norms;         ///< [16]
};

struct QueryGroup {
  const std::int16_t* codes;  ///< [pairs, 12, 2]
  float weights[kGroupQueries] = {}, bounds[kGroupQueries] = {};
};

struct PanelComparison {
  /// [q][p] = norms[p] - weights[q] * sum_i query[q][i] point[p][i]; the sum is exact as long as it fits 32
  /// bits. The float operations round as the level does. Values of a query without a bit in `below` may be
  /// left out.
  float values[kGroupQueries][kPanelPoints];
  std::uint16_t below[kGroupQueries];  ///< bit p of [q]: the value lies below the query's bound
};

}  // namespace headroom::ops::cpu
