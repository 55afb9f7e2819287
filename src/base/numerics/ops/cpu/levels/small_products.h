#pragma once

#include "base/numerics/ops/cpu/levels/row_tiles.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// The bits of two adjacent floats, aligned only to four bytes, and a vector of such pairs.
using TwoFloats __attribute__((aligned(4))) = std::int64_t __attribute__((aligned(4), may_alias));
using FloatPairs = std::int64_t __attribute__((vector_size(4 * kLanes)));

/// Returns a vector that repeats two adjacent numbers in all lanes.
inline Floats splat_two(const float* numbers) {
  return reinterpret_cast<Floats>(FloatPairs{} + *reinterpret_cast<const TwoFloats*>(numbers));
}

/// Computes kRows rows of the product, with their sums in registers.
template <int kRows>
inline void paired_tile(const PairedProduct& p, std::int64_t first) {
  constexpr int kVectors = static_cast<int>(2 * kPairedColumns) / kLanes;
  const float* a = p.a + first * p.a_row;
  const float* b = p.b;
  const std::int64_t a_row = p.a_row, c_row = p.c_row;
  float* const to = p.c + first * c_row;
  Floats sums[kRows][kVectors] = {};
  for (std::int64_t k = 0; k < p.terms; k += 2, a += 2, b += 2 * kPairedColumns) {
    Floats columns[kVectors];
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      columns[vector] = load(b + vector * kLanes);
    }
#pragma GCC unroll 12
    for (int row = 0; row < kRows; ++row) {
      const Floats two = splat_two(a + row * a_row);
#pragma GCC unroll 4
      for (int vector = 0; vector < kVectors; ++vector) {
        sums[row][vector] += two * columns[vector];
      }
    }
  }
#pragma GCC unroll 12
  for (int row = 0; row < kRows; ++row) {
    float* const c = to + row * c_row;
    float numbers[2 * kPairedColumns];
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      store(numbers + vector * kLanes, sums[row][vector]);
    }
    for (std::ptrdiff_t column = 0; column < kPairedColumns; ++column) {
      c[column] += numbers[2 * column] + numbers[2 * column + 1];
    }
  }
}

struct PairedTiles {
  const PairedProduct& product;
  template <int kRows>
  void run(std::int64_t row) const {
    paired_tile<kRows>(product, row);
  }
};

inline void paired_product(const PairedProduct& p) {
  for_row_tiles<kLanes == 16 ? 12 : kLanes == 8 ? 6 : 2>(p.rows, PairedTiles{p});
}

/// Computes one column of kRows rows of the product.
template <int kRows>
inline void rows_tile(const RowsProduct& p, std::int64_t first, std::int64_t column) {
  const float* const a = p.a + first * p.a_row;
  const float* const b = p.b + column * p.b_row;
  Floats sums[kRows] = {};
  for (std::int64_t k = 0; k < p.terms; k += kLanes) {
    const Floats numbers = load(b + k);
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
      sums[row] += load(a + row * p.a_row + k) * numbers;
    }
  }
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
    p.c[(first + row) * p.c_row + column] = p.row_start[first + row] + sum_of(sums[row]);
  }
}

struct RowsTiles {
  const RowsProduct& product;
  template <int kRows>
  void run(std::int64_t row) const {
    for (std::int64_t column = 0; column < product.columns; ++column) {
      rows_tile<kRows>(product, row, column);
    }
  }
};

inline void rows_product(const RowsProduct& p) { for_row_tiles<8>(p.rows, RowsTiles{p}); }

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
