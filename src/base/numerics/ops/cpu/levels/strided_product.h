#pragma once

#include "base/numerics/ops/cpu/levels/row_tiles.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// Maximum number of vectors of columns in a tile. Up to this number, the sums and a row of b stay in
/// registers.
inline constexpr int kMaxProductVectors = kLanes == 16 ? 4 : 2;

/// Columns that are stored together if the columns of a product are in groups.
inline constexpr std::ptrdiff_t kPart = kLanes < kGroupColumns ? kLanes : kGroupColumns;
inline constexpr int kParts = kLanes / kPart;

/// Stores the lanes of one part of `numbers`: kPart lanes, starting with lane part * kPart.
template <int... kLane>
inline void store_part(float* to, Floats numbers, int part, std::integer_sequence<int, kLane...> /*lanes*/) {
  using Part __attribute__((aligned(4))) =
      float __attribute__((vector_size(4 * kPart), aligned(4), may_alias));
  *reinterpret_cast<Part*>(to) = part == 0
                                     ? __builtin_shufflevector(numbers, numbers, kLane...)
                                     : __builtin_shufflevector(numbers, numbers, (kLanes - kPart + kLane)...);
}

/// Stores the sums of a tile if the columns of c are in groups. The tile begins at row `first` and column
/// `column`.
template <int kRows, int kVectors>
inline void store_groups(const StridedProduct& p, const Floats (&sums)[kRows][kVectors], std::int64_t first,
                         std::int64_t column) {
  const std::int64_t c_row = p.c_row, group = p.group, c_group = p.c_group;
  float* const rows = p.c + first * c_row;
#pragma GCC unroll 4
  for (int vector = 0; vector < kVectors; ++vector) {
#pragma GCC unroll 2
    for (int part = 0; part < kParts; ++part) {
      const std::int64_t j = column + vector * kLanes + part * kPart;
      float* const c = rows + j / group * c_group + j % group;
#pragma GCC unroll 12
      for (int row = 0; row < kRows; ++row) {
        store_part(c + row * c_row, sums[row][vector], part, std::make_integer_sequence<int, kPart>());
      }
    }
  }
}

/// Computes kRows rows and kVectors vectors of columns, with their sums in registers. kNumbered: whether
/// row_numbers gives the positions of the rows.
template <int kRows, int kVectors, bool kNumbered>
inline void strided_tile(const StridedProduct& p, std::int64_t first, std::int64_t column) {
  const std::int64_t a_row = p.a_row, a_term = p.a_term, b_term = p.b_term, c_row = p.c_row;
  const float* a = p.a + (kNumbered ? 0 : first * a_row);
  const float* b = p.b + column;
  const std::int64_t* const numbers = kNumbered ? p.row_numbers + first : nullptr;
  std::int64_t numbered_rows[kRows];
#pragma GCC unroll 6
  for (int row = 0; kNumbered && row < kRows; ++row) {
    numbered_rows[row] = numbers[row] * a_row;
  }
  float* const c = p.c + first * c_row + column;
  // The initial sums, and the distance between their rows. The distance is 0 if all rows have the same
  // initial sums.
  const float* const start = p.add ? c : p.column_start == nullptr ? nullptr : p.column_start + column;
  const std::int64_t start_row = p.add ? c_row : 0;
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
  for (std::int64_t k = 0; k < p.terms; ++k, a += a_term, b += b_term) {
    Floats columns[kVectors];
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      columns[vector] = load(b + vector * kLanes);
    }
#pragma GCC unroll 12
    for (int row = 0; row < kRows; ++row) {
      const Floats number = splat(a[kNumbered ? numbered_rows[row] : row * a_row]);
#pragma GCC unroll 4
      for (int vector = 0; vector < kVectors; ++vector) {
        sums[row][vector] += number * columns[vector];
      }
    }
  }
  if (p.group != 0) {
    store_groups(p, sums, first, column);
    return;
  }
#pragma GCC unroll 12
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      store(c + (kNumbered ? numbers[row] - first : row) * c_row + vector * kLanes, sums[row][vector]);
    }
  }
}

template <int kVectors, bool kNumbered>
struct StridedTiles {
  const StridedProduct& product;
  std::int64_t column;
  template <int kRows>
  void run(std::int64_t row) const {
    strided_tile<kRows, kVectors, kNumbered>(product, row, column);
  }
};

/// Computes `left` vectors of columns, starting at `column`. At most kVectors vectors are in a tile.
template <int kVectors, bool kNumbered>
inline void strided_columns(const StridedProduct& p, std::int64_t column, std::int64_t left) {
  for (; left >= kVectors; left -= kVectors, column += kVectors * kLanes) {
    for_row_tiles<kVectors == 1 && !kNumbered ? 12 : 6>(p.rows, StridedTiles<kVectors, kNumbered>{p, column});
  }
  if constexpr (kVectors > 1) {
    if (left > 0) {
      strided_columns<kVectors - 1, kNumbered>(p, column, left);
    }
  }
}

inline void strided_product(const StridedProduct& product) {
  const std::int64_t vectors = (product.columns + kLanes - 1) / kLanes;
  if (product.row_numbers == nullptr) {
    strided_columns<kMaxProductVectors, false>(product, 0, vectors);
  } else {
    strided_columns<kMaxProductVectors, true>(product, 0, vectors);
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
