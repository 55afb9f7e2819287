#pragma once

#include "ops/cpu/levels/vector.h"

namespace headroom::ops::cpu::HEADROOM_LEVEL {

/// Vectors of columns that a tile has at most, so that its sums and a row of b stay in registers.
inline constexpr int kMostProductVectors = kLanes == 16 ? 4 : 2;

/// kRows rows and kVectors vectors of columns, whose sums registers hold.
template <int kRows, int kVectors>
inline void strided_tile(StridedProduct p, std::int64_t first, std::int64_t column) {
  const float* a = p.a + first * p.a_row;
  const float* b = p.b + column;
  float* const c = p.c + first * p.c_row + column;
  const float* const start = p.add ? c : p.column_start == nullptr ? nullptr : p.column_start + column;
  const std::int64_t start_row = p.add ? p.c_row : 0;
  Floats sums[kRows][kVectors];
#pragma GCC unroll 12
  for (int row = 0; row < kRows; ++row) {
    const float row_start = p.row_start == nullptr ? 0.0F : p.row_start[first + row];
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      sums[row][vector] =
          start == nullptr ? splat(row_start) : load(start + row * start_row + vector * kLanes);
    }
  }
  const std::int64_t a_row = p.a_row, a_term = p.a_term, b_term = p.b_term;
  for (std::int64_t k = 0; k < p.terms; ++k, a += a_term, b += b_term) {
    Floats columns[kVectors];
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      columns[vector] = load(b + vector * kLanes);
    }
#pragma GCC unroll 12
    for (int row = 0; row < kRows; ++row) {
      const Floats number = splat(a[row * a_row]);
#pragma GCC unroll 4
      for (int vector = 0; vector < kVectors; ++vector) {
        sums[row][vector] += number * columns[vector];
      }
    }
  }
#pragma GCC unroll 12
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      store(c + row * p.c_row + vector * kLanes, sums[row][vector]);
    }
  }
}

/// All rows from `row` on: as many tiles of kRows as there are, then smaller ones.
template <int kRows, int kVectors>
inline void strided_rows(const StridedProduct& p, std::int64_t row, std::int64_t column) {
  for (; row + kRows <= p.rows; row += kRows) {
    strided_tile<kRows, kVectors>(p, row, column);
  }
  constexpr int kFewer = kRows == 12 ? 6 : kRows == 6 ? 4 : kRows / 2;
  if constexpr (kFewer > 0) {
    if (row < p.rows) {
      strided_rows<kFewer, kVectors>(p, row, column);
    }
  }
}

/// The vectors of columns from `column` on, of which there are `left`: at most kVectors together.
template <int kVectors>
inline void strided_columns(const StridedProduct& p, std::int64_t column, std::int64_t left) {
  constexpr int kRows = kVectors == 1 ? 12 : 6;
  for (; left >= kVectors; left -= kVectors, column += kVectors * kLanes) {
    strided_rows<kRows, kVectors>(p, 0, column);
  }
  if constexpr (kVectors > 1) {
    if (left > 0) {
      strided_columns<kVectors - 1>(p, column, left);
    }
  }
}

inline void strided_product(const StridedProduct& product) {
  strided_columns<kMostProductVectors>(product, 0, (product.columns + kLanes - 1) / kLanes);
}

}  // namespace headroom::ops::cpu::HEADROOM_LEVEL
