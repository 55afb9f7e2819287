#pragma once

#include <cstdint>

#include "base/numerics/torch/cuda/lanes.h"

namespace molgauge::torch::cuda {

/// The attention of Uni-Mol for inference, for all tokens, in tiles (launch_tiles.h). A tile has kQueries
/// tokens, possibly of several molecules, and kHeads heads. A round loads kKeys keys and values into shared
/// memory, where all queries of the tile read them. In contrast, packed_attention.cu reads keys and values
/// from the L2 cache for each query. Each thread processes one query and one head. It sums over the keys of
/// the molecule in order, so the numbers do not depend on the tile.
template <int kDepth, typename Number>
struct TiledAttention {
  static constexpr int kQueries = 8, kHeads = 32, kThreads = kQueries * kHeads, kKeys = 128 / kDepth;

  struct Shared {
    float keys[kKeys][kDepth][kHeads], values[kKeys][kDepth][kHeads];
  };
  struct Own {
    float scaled[kDepth];  ///< the query, multiplied by `scale`
    AttentionOutput<kDepth> attended;
  };

  const Number* joint;             ///< [n, 3, depth, heads]
  const Number* before;            ///< [P, heads]
  Number* after;                   ///< [P, heads]
  Number* out;                     ///< [n, depth, heads]
  const std::int64_t* first;       ///< [molecules + 1] first token of a molecule
  const std::int64_t* of;          ///< [n] the molecule of a token
  const std::int64_t* first_pair;  ///< [molecules] first pair of a molecule
  std::int64_t n, heads;
  float scale;

  MOLGAUGE_EVERYWHERE std::int64_t groups() const { return (heads + kHeads - 1) / kHeads; }
  MOLGAUGE_EVERYWHERE std::int64_t tiles() const { return (n + kQueries - 1) / kQueries * groups(); }
  MOLGAUGE_EVERYWHERE std::int64_t first_row(std::int64_t tile) const { return tile / groups() * kQueries; }
  /// first_key() and end_of_keys() are the range of the keys of all molecules that have queries in the tile.
  MOLGAUGE_EVERYWHERE std::int64_t first_key(std::int64_t tile) const { return first[of[first_row(tile)]]; }
  MOLGAUGE_EVERYWHERE std::int64_t end_of_keys(std::int64_t tile) const {
    const std::int64_t last = first_row(tile) + kQueries - 1;
    return first[of[last < n ? last : n - 1] + 1];
  }
  MOLGAUGE_EVERYWHERE int rounds(std::int64_t tile) const {
    return static_cast<int>((end_of_keys(tile) - first_key(tile) + kKeys - 1) / kKeys);
  }

  MOLGAUGE_EVERYWHERE void load(std::int64_t tile, int round, int thread, Shared& to) const {
    const std::int64_t begin = first_key(tile) + static_cast<std::int64_t>(round) * kKeys;
    const std::int64_t end = end_of_keys(tile), first_head = tile % groups() * kHeads;
    for (int i = thread; i < kKeys * kDepth * kHeads; i += kThreads) {
      const int lane = i % kHeads, d = i / kHeads % kDepth, k = i / kHeads / kDepth;
      const bool is_there = begin + k < end && first_head + lane < heads;
      const Number* const numbers = joint + ((begin + k) * 3 * kDepth + d) * heads + first_head + lane;
      to.keys[k][d][lane] = is_there ? static_cast<float>(numbers[kDepth * heads]) : 0;
      to.values[k][d][lane] = is_there ? static_cast<float>(numbers[heads * kDepth * 2]) : 0;
    }
  }

  MOLGAUGE_EVERYWHERE void compute(std::int64_t tile, int round, int thread, const Shared& from,
                                   Own& own) const {
    const int lane = thread % kHeads;
    const std::int64_t row = first_row(tile) + thread / kHeads, head = tile % groups() * kHeads + lane;
    if (row >= n || head >= heads) {
      return;
    }
    if (round == 0) {
      for (int d = 0; d < kDepth; ++d) {
        own.scaled[d] = scale * static_cast<float>(joint[(row * 3 * kDepth + d) * heads + head]);
      }
    }
    const std::int64_t molecule = of[row], begin = first[molecule], end = first[molecule + 1];
    const std::int64_t first_pair_of_row = first_pair[molecule] + (row - begin) * (end - begin);
    const std::int64_t first_of_round = first_key(tile) + static_cast<std::int64_t>(round) * kKeys;
    for (int k = 0; k < kKeys; ++k) {
      const std::int64_t key = first_of_round + k;
      if (key >= begin && key < end) {
        attend(from, k, lane, (first_pair_of_row + key - begin) * heads + head, own);
      }
    }
    if (round + 1 == rounds(tile)) {
      write_attended(own.attended, row, head, heads, out);
    }
  }

 private:
  MOLGAUGE_EVERYWHERE void attend(const Shared& from, int k, int lane, std::int64_t pair, Own& own) const {
    auto logit = static_cast<float>(before[pair]);
    for (int d = 0; d < kDepth; ++d) {
      logit += own.scaled[d] * from.keys[k][d][lane];
    }
    after[pair] = static_cast<Number>(logit);
    if (logit > own.attended.most) {
      own.attended.rescale(logit);
    }
    const float weight = expf(logit - own.attended.most);
    own.attended.total += weight;
    for (int d = 0; d < kDepth; ++d) {
      own.attended.mixed[d] += weight * from.values[k][d][lane];
    }
  }
};

}  // namespace molgauge::torch::cuda
