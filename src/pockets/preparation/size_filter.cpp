#include "pockets/preparation/size_filter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/core/text/bytes.h"

namespace molgauge::pocket {
namespace {

double percentile_of(std::vector<std::int64_t> numbers, double percentile) {
  std::sort(numbers.begin(), numbers.end());
  const double place = percentile / 100 * static_cast<double>(numbers.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, numbers.size() - 1);
  const auto low = static_cast<double>(numbers[below]), high = static_cast<double>(numbers[above]);
  return low + (high - low) * (place - std::floor(place));
}

double percentile_of(const std::vector<GraphEntry>& graphs, std::int64_t GraphCounts::*count,
                     double percentile) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(graphs.size());
  for (const GraphEntry& graph : graphs) {
    numbers.push_back(graph.counts.*count);
  }
  return percentile_of(std::move(numbers), percentile);
}

std::string above_limit(const GraphCounts& counts, const PocketSizeLimits& limits) {
  const auto exceeds = [](std::int64_t count, const std::optional<std::size_t>& most) {
    return most && static_cast<std::uint64_t>(count) > *most;
  };
  if (exceeds(counts.atoms, limits.max_atoms)) {
    return fmt::format("has {} atoms, more than {}", counts.atoms, *limits.max_atoms);
  }
  if (exceeds(counts.bonds, limits.max_bonds)) {
    return fmt::format("has {} bonds, more than {}", counts.bonds, *limits.max_bonds);
  }
  if (exceeds(counts.pairs, limits.max_pairs)) {
    return fmt::format("has {} pairs, more than {}", counts.pairs, *limits.max_pairs);
  }
  if (limits.max_graph_bytes && bytes_in_memory(counts) > *limits.max_graph_bytes) {
    return fmt::format("takes {}, more than {}", format_bytes(bytes_in_memory(counts)),
                       format_bytes(*limits.max_graph_bytes));
  }
  return "";
}

}  // namespace

std::uint64_t bytes_in_memory(const GraphCounts& counts) {
  return static_cast<std::uint64_t>(counts.atoms * 6 * 4 + counts.bonds * (2 * 8 + 2 * 4) +
                                    counts.angles * (3 * 8 + 2 * 4) + counts.dihedrals * (4 * 8 + 3 * 4) +
                                    counts.pairs * (2 * 8 + 3 * 4));
}

std::vector<TooLarge> find_too_large(const std::vector<GraphEntry>& graphs, const PocketSizeLimits& limits) {
  std::vector<TooLarge> found;
  if (graphs.empty()) {
    return found;
  }
  const double percentile = limits.percentile.value_or(100);
  const double atoms = percentile_of(graphs, &GraphCounts::atoms, percentile);
  const double bonds = percentile_of(graphs, &GraphCounts::bonds, percentile);
  for (const GraphEntry& graph : graphs) {
    std::string reason = above_limit(graph.counts, limits);
    if (reason.empty() && static_cast<double>(graph.counts.atoms) > atoms &&
        static_cast<double>(graph.counts.bonds) > bonds) {
      reason = fmt::format("has {} atoms and {} bonds, above the percentile {:g} of both ({:g} and {:g})",
                           graph.counts.atoms, graph.counts.bonds, percentile, atoms, bonds);
    }
    if (!reason.empty()) {
      found.push_back({graph, std::move(reason)});
    }
  }
  return found;
}

}  // namespace molgauge::pocket
