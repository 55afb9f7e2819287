#pragma once

#include <cstdint>
#include <vector>

#include "pockets/topology/topology.h"

namespace molgauge::pocket {

struct Neighbours {
  std::int64_t first, second;  ///< first < second
  double distance;
};

/// Returns all pairs of atoms within `cutoff`, sorted by the first atom, then by the second atom. Uses a grid
/// of cells as wide as the cutoff, so time and memory grow linearly with the numbers of atoms and pairs.
///
/// Throws InputError with the reason if a position is not finite or beyond 10^6 A, if two atoms are less than
/// `on_top` apart, or if there are more than 10^8 pairs. Atoms that are too close are found first, in linear
/// time and memory. A dense cluster of atoms is therefore rejected before its pairs are listed.
std::vector<Neighbours> find_neighbours(const std::vector<Position>& positions, double cutoff,
                                        double on_top = 0);

}  // namespace molgauge::pocket
