#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headroom/pocket_build.h"
#include "models/pocket/graphs/graph_set.h"

namespace headroom::pocket {

/// A graph that is left out of a set because it costs too much.
struct TooLarge {
  GraphEntry graph;
  std::string reason;
};

/// Bytes of a graph in memory, as an encoder reads it: numbers of 4 bytes, indices of 8.
std::uint64_t bytes_in_memory(const GraphCounts& counts);

/// The graphs that the limits leave out, in their order. Percentiles are interpolated between neighbours, as
/// NumPy's are by default.
std::vector<TooLarge> find_too_large(const std::vector<GraphEntry>& graphs, const PocketSizeLimits& limits);

}  // namespace headroom::pocket
