#pragma once

#include <algorithm>
#include <cstdint>

namespace headroom::train {

/// Minimum rows of a shard. Smaller shards would spend their time on adding gradients. A GPU needs larger
/// shards.
inline constexpr std::int64_t kRowsPerShard = 512, kRowsPerGpuShard = 16384;

/// The rows of a pass are cut into shards whose number depends on nothing but the number of rows and the kind
/// of device: energies are computed and gradients summed shard by shard. So neither the number of threads
/// nor how many shards are in memory at once changes a byte of the result (a matrix product that is split
/// over threads by the BLAS, or cut elsewhere, has other bytes).
inline std::int64_t shard_count(std::int64_t rows, bool on_gpu) {
  return std::max<std::int64_t>(1, rows / (on_gpu ? kRowsPerGpuShard : kRowsPerShard));
}

}  // namespace headroom::train
