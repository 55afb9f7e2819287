#include <algorithm>
#include <numeric>
#include <utility>

#include "base/core/threads/worker_group.h"
#include "molecules/ood/losses/dpo_pairs.h"
#include "molecules/ood/losses/loss_terms.h"

namespace molgauge::ood {
namespace {

/// The number of blocks of ID energies, for any number of threads. Each block has its own column sums, so the
/// memory is O(kBlocks * m).
constexpr std::size_t kBlocks = 16;

/// Number of columns in a tile. The factors and sums of a tile stay in the first-level cache while all rows
/// of a block are processed.
constexpr std::size_t kTileColumns = 1024;

/// Minimum number of pairs per thread. With fewer pairs, starting a thread costs more time than it saves.
constexpr std::size_t kPairsPerThread = 1'000'000;

std::size_t steps(std::size_t count, std::size_t step) { return (count + step - 1) / step; }

/// Computes the loss of n ID energies and m OOD energies.
template <typename Pairs>
LossTerm mean_over_pairs(const Pairs& pairs, std::size_t n, std::size_t m, double beta, std::size_t threads) {
  const std::size_t row_steps = steps(n, Pairs::kRowStep);
  const std::size_t width = steps(m, Pairs::kColumnStep) * Pairs::kColumnStep;
  const std::size_t blocks = std::min(kBlocks, row_steps);
  std::vector<double> id_sums(row_steps * Pairs::kRowStep), ood_sums(blocks * width), values(blocks);
  parallel_for(blocks, std::min(threads, n * m / kPairsPerThread), [&](std::size_t block) {
    const std::size_t first = block * row_steps / blocks * Pairs::kRowStep;
    const std::size_t last = std::min(n, (block + 1) * row_steps / blocks * Pairs::kRowStep);
    for (std::size_t column = 0; column < m; column += kTileColumns) {
      values[block] += pairs.add({first, last - first}, {column, std::min(kTileColumns, m - column)},
                                 &id_sums[first], &ood_sums[block * width + column]);
    }
  });

  const double mean = 1.0 / (static_cast<double>(n) * static_cast<double>(m));
  LossTerm term{mean * std::accumulate(values.begin(), values.end(), 0.0), std::move(id_sums),
                std::vector<double>(m)};
  term.id_gradient.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    term.id_gradient[i] *= beta * mean * pairs.id_factor(i);
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t j = 0; j < m; ++j) {
      term.ood_gradient[j] -= beta * mean * pairs.ood_factor(j) * ood_sums[block * width + j];
    }
  }
  return term;
}

}  // namespace

LossTerm dpo_loss(std::span<const float> id, std::span<const float> ood, double beta, std::size_t threads) {
  const double centre = ood.front();
  if (FactoredPairs::hold(id, ood, beta, centre)) {
    return mean_over_pairs(FactoredPairs(id, ood, beta, centre), id.size(), ood.size(), beta, threads);
  }
  return mean_over_pairs(WidePairs(id, ood, beta, centre), id.size(), ood.size(), beta, threads);
}

}  // namespace molgauge::ood
