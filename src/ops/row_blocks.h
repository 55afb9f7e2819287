#pragma once

#include <algorithm>
#include <cstdint>

#include <ATen/Parallel.h>

#include "ops/cpu/kernels.h"

namespace headroom::ops {

/// Calls work(first row, number of rows) for all rows in blocks of cpu::kBlockRows, spread over ATen's
/// threads.
template <typename Work>
void for_row_blocks(std::int64_t rows, const Work& work) {
  const std::int64_t blocks = (rows + cpu::kBlockRows - 1) / cpu::kBlockRows;
  at::parallel_for(0, blocks, /*grain_size=*/1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block) {
      const std::int64_t first = block * cpu::kBlockRows;
      work(first, std::min(cpu::kBlockRows, rows - first));
    }
  });
}

}  // namespace headroom::ops
