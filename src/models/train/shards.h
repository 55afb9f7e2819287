#pragma once

#include <algorithm>
#include <cstdint>

namespace headroom::train {

/// Minimum rows of a shard. Smaller shards would spend their time on adding gradients. A GPU needs larger
/// shards.
inline constexpr std::int64_t kRowsPerShard = 512, kRowsPerGpuShard = 16384;

/// The rows of a pass are divided into shards. Their number depends only on the number of rows and the kind
/// of device. Energies are computed and gradients summed shard by shard. The result is therefore
/// bit-identical for any number of threads and of shards in memory. In contrast, a matrix product that the
/// BLAS splits over threads, or that is divided elsewhere, has other bits.
inline std::int64_t shard_count(std::int64_t rows, bool on_gpu) {
  return std::max<std::int64_t>(1, rows / (on_gpu ? kRowsPerGpuShard : kRowsPerShard));
}

}  // namespace headroom::train
