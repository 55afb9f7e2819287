#pragma once

#include <span>

namespace molgauge::ood {

/// Statistics of the differences d_ij = b_j - a_i (OOD energy minus ID energy, float32) of all n x m pairs.
struct PairStatistics {
  double misranked_ratio = 0;  ///< share of pairs with d < 0
  double boundary_ratio = 0;   ///< share of pairs with |d| < 0.05
  double avg_margin = 0;       ///< mean d
};

/// Exact counts from two sorted lists, O((n + m) log(n + m)). Energies must be finite, n and m at least 1.
PairStatistics pair_statistics(std::span<const float> id, std::span<const float> ood);

}  // namespace molgauge::ood
