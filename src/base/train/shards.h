#pragma once

#include <algorithm>
#include <cstdint>

namespace molgauge::train {

/// Minimum rows of a shard. With smaller shards, most of the time would be spent on adding gradients. A GPU
/// needs larger shards.
inline constexpr std::int64_t kRowsPerShard = 512, kRowsPerGpuShard = 16384;

/// The rows of a pass are divided into shards. Their number depends only on the number of rows and the kind
/// of device. Energies are computed and gradients summed shard by shard. The result is therefore
/// bit-identical for any number of threads and of shards in memory. A matrix product that the BLAS divides
/// among threads would not be bit-identical.
inline std::int64_t shard_count(std::int64_t rows, bool on_gpu) {
  return std::max<std::int64_t>(1, rows / (on_gpu ? kRowsPerGpuShard : kRowsPerShard));
}

}  // namespace molgauge::train
