#include "ood/dpo_loss.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/worker_group.h"
#include "ood/dpo_tile.h"

namespace headroom::ood {
namespace {

/// The ID energies are cut into this many blocks, whatever the number of threads: the column sums of a block
/// are private to it, which bounds the memory by O(kBlocks * m).
constexpr std::size_t kBlocks = 16;

/// Below this many pairs starting a thread costs more than it saves.
constexpr std::size_t kPairsPerThread = 250'000;

/// Runs the blocks on as many threads as their pairs are worth.
void for_each_block(std::size_t blocks, std::size_t pairs, std::size_t threads,
                    const std::function<void(std::size_t)>& work) {
  const std::size_t useful = std::min(threads, pairs / kPairsPerThread);
  if (useful > 1) {
    parallel_for(blocks, useful, work);
    return;
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    work(block);
  }
}

}  // namespace

LossTerm dpo_loss(std::span<const float> id, std::span<const float> ood, double beta, std::size_t threads) {
  const std::size_t n = id.size(), m = ood.size();
  const double centre = ood.front();
  const ScaledEnergies scaled_id(id, beta, centre), scaled_ood(ood, beta, centre);
  const auto accumulate = scaled_id.products_are_finite() && scaled_ood.products_are_finite()
                              ? accumulate_dpo_tile
                              : accumulate_wide_dpo_tile;
  const std::size_t blocks = std::min(kBlocks, n);
  LossTerm term{0, std::vector<double>(n), std::vector<double>(m)};
  std::vector<double> block_value(blocks), block_ood_sum(blocks * m);

  for_each_block(blocks, n * m, threads, [&](std::size_t block) {
    const std::size_t first = block * n / blocks, last = (block + 1) * n / blocks;
    for (std::size_t column = 0; column < m; column += DpoTile::kMaximumColumns) {
      const EnergyRange columns{column, std::min(DpoTile::kMaximumColumns, m - column)};
      block_value[block] += accumulate({scaled_id,
                                        scaled_ood,
                                        {first, last - first},
                                        columns,
                                        &term.id_gradient[first],
                                        &block_ood_sum[block * m + column]});
    }
  });

  const double mean = 1.0 / (static_cast<double>(n) * static_cast<double>(m));
  term.value = mean * std::accumulate(block_value.begin(), block_value.end(), 0.0);
  for (double& gradient : term.id_gradient) {
    gradient *= beta * mean;
  }
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t j = 0; j < m; ++j) {
      term.ood_gradient[j] -= beta * mean * block_ood_sum[block * m + j];
    }
  }
  return term;
}

}  // namespace headroom::ood
