#pragma once

#include <cstdint>

#include "base/numerics/ops/cpu/levels/vector.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// Calls tile.run<kRows>(first) with kRows equal to `left`.
template <int kRows, typename Tile>
inline void for_rows_left(std::int64_t first, std::int64_t left, const Tile& tile) {
  if (left == kRows) {
    tile.template run<kRows>(first);
  } else if constexpr (kRows > 1) {
    for_rows_left<kRows - 1>(first, left, tile);
  }
}

/// Calls tile.run<kRows>(first row) for all rows: for complete tiles first, then for the remaining rows.
template <int kRows, typename Tile>
inline void for_row_tiles(std::int64_t rows, const Tile& tile) {
  std::int64_t row = 0;
  for (; row + kRows <= rows; row += kRows) {
    tile.template run<kRows>(row);
  }
  if constexpr (kRows > 1) {
    for_rows_left<kRows - 1>(row, rows - row, tile);
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
