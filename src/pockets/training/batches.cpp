#include "pockets/training/batches.h"

#include <algorithm>
#include <numeric>

#include "base/core/random/numpy_random.h"
#include "base/numerics/ops/training/keyed_numbers.h"

namespace molgauge::pocket {

double cost_of(const GraphCounts& counts, const EncoderShape& shape) {
  const ops::TensorProduct product(shape.hidden, 2, ops::gated(shape.hidden));
  double of_edge = 0, of_atom = 0;
  for (const ops::ProductPath& path : product.paths()) {
    const auto components = static_cast<double>(product.out().blocks()[path.out].components());
    const double products = static_cast<double>(path.in_channels) * components;
    of_edge += products;
    of_atom += products * static_cast<double>(path.out_channels);
  }
  const auto hidden = static_cast<double>(shape.radial_hidden);
  const auto edges = static_cast<double>(counts.bonds + (shape.nonbonded ? counts.pairs : 0));
  const double kinds = shape.nonbonded ? 2 : 1;
  const auto terms = static_cast<double>(shape.multi_hop ? counts.angles + counts.dihedrals : 0);
  return edges * hidden * (of_edge + hidden) + kinds * static_cast<double>(counts.atoms) * hidden * of_atom +
         terms * hidden * 4 * hidden;
}

std::vector<std::vector<std::size_t>> batches_by_cost(const std::vector<double>& costs,
                                                      std::size_t batch_size, std::uint64_t key) {
  std::vector<std::size_t> by_cost(costs.size());
  std::iota(by_cost.begin(), by_cost.end(), std::size_t{0});
  std::stable_sort(by_cost.begin(), by_cost.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  const std::size_t count = (costs.size() + batch_size - 1) / batch_size;
  std::vector<std::vector<std::size_t>> batches(count);
  for (std::size_t first = 0, stratum = 0; first < costs.size(); first += count, ++stratum) {
    const std::size_t size = std::min(count, costs.size() - first);
    const std::vector<std::size_t> order = NumpyRandom(ops::keyed_number(key, stratum)).choose(count, size);
    for (std::size_t i = 0; i < size; ++i) {
      batches[order[i]].push_back(by_cost[first + i]);
    }
  }
  return batches;
}

std::vector<std::size_t> shares_by_cost(const std::vector<double>& costs, std::size_t processes) {
  const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
  std::vector<std::size_t> begins = {0};
  double before = 0;
  std::size_t place = 0;
  for (std::size_t process = 1; process < processes; ++process) {
    const double share = total * static_cast<double>(process) / static_cast<double>(processes);
    // A pocket goes to the earlier process if more than half of the cost of the pocket lies within the share
    // of that process.
    while (place < costs.size() && before + costs[place] / 2 < share) {
      before += costs[place++];
    }
    begins.push_back(place);
  }
  begins.push_back(costs.size());
  return begins;
}

}  // namespace molgauge::pocket
