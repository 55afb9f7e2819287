#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molgauge/pocket_build.h"
#include "pockets/graphs/graph_set.h"

namespace molgauge::pocket {

/// A graph that is left out of a set because it costs too much.
struct TooLarge {
  GraphEntry graph;
  std::string reason;
};

/// Bytes of a graph in memory: 4 for each number, 8 for each index.
std::uint64_t bytes_in_memory(const GraphCounts& counts);

/// The graphs that the limits leave out, in order. Percentiles are interpolated linearly, as NumPy does by
/// default.
std::vector<TooLarge> find_too_large(const std::vector<GraphEntry>& graphs, const PocketSizeLimits& limits);

}  // namespace molgauge::pocket
