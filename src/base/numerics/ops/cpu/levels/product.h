#pragma once

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/group_products.h"
#include "base/numerics/ops/cpu/levels/row_tiles.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// Stores a tile of kRows rows and at most kVectors vectors of columns, starting at `column`. Columns beyond
/// the last column of y are skipped.
template <int kRows, int kVectors>
inline void store_tile(const Layer& layer, const Floats (&tile)[kRows][kVectors], std::int64_t column,
                       float* y) {
#pragma GCC unroll 4
  for (int vector = 0; vector < kVectors; ++vector) {
    const std::int64_t first = column + vector * kLanes;
    if (first >= layer.out) {
      return;
    }
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
      store_some(y + row * layer.out + first, tile[row][vector], layer.out - first);
    }
  }
}

/// One tile of x W^T + b, kept in registers: each loaded weight is multiplied with kRows rows. The last panel
/// of a layer may have fewer than kVectors vectors of columns.
template <int kRows, int kVectors>
inline void multiply_tile(const Layer& layer, const float* __restrict x, std::int64_t column,
                          float* __restrict y) {
  const std::uint32_t* __restrict panel = layer.panels + column * layer.groups;
  Floats tile[kRows][kVectors];
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      tile[row][vector] = load(layer.bias + column + vector * kLanes);
    }
  }
  for (std::int64_t k = 0; k < layer.in; ++k, panel += kPanel) {
    Floats weights[kVectors];
#pragma GCC unroll 4
    for (int vector = 0; vector < kVectors; ++vector) {
      weights[vector] = load(panel + vector * kLanes);
    }
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
      const Floats number = splat(x[row * layer.in + k]);
#pragma GCC unroll 4
      for (int vector = 0; vector < kVectors; ++vector) {
        tile[row][vector] += number * weights[vector];
      }
    }
  }
  store_tile(layer, tile, column, y);
}

/// Converts sums of products of integers back to floats.
inline Floats scaled(const Layer& layer, Integers sums, std::int64_t column, float row_scale) {
  return __builtin_convertvector(sums, Floats) * (load(layer.column_scales + column) * row_scale) +
         load(layer.bias + column);
}

/// The sums of products of integers in a tile, and their conversion to floats.
struct IntegerSums {
  using Vector = Integers;
  const float* row_scales;

  static Integers start(const Layer& layer, std::int64_t column) {
    return load_integers(layer.column_starts + column);
  }
  Floats numbers(const Layer& layer, Integers sums, std::int64_t row, std::int64_t column) const {
    return scaled(layer, sums, column, row_scales[row]);
  }
};

/// Sums of products of bfloat16, which are already floats.
struct Bfloat16Sums {
  using Vector = Floats;

  static Floats start(const Layer& layer, std::int64_t column) { return load(layer.bias + column); }
  static Floats numbers(const Layer&, Floats sums, std::int64_t /*row*/, std::int64_t /*column*/) {
    return sums;
  }
};

/// One tile of the product of rounded rows. x [rows, groups] contains groups of small numbers, which are
/// multiplied with the groups of the weights. `first` is the first of kRows rows.
template <int kRows, typename Sums>
inline void multiply_group_tile(const Layer& layer, const GroupBits* __restrict x, const Sums& kind,
                                std::int64_t first, std::int64_t column, float* __restrict y) {
  using Vector = typename Sums::Vector;
  const std::uint32_t* __restrict panel = layer.panels + column * layer.groups;
  const GroupBits* __restrict const own = x + first * layer.groups;
  Vector sums[kRows][kTileVectors];
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int vector = 0; vector < kTileVectors; ++vector) {
      sums[row][vector] = kind.start(layer, column + vector * kLanes);
    }
  }
  for (std::int64_t group = 0; group < layer.groups; ++group, panel += kPanel) {
    Integers weights[kTileVectors];
#pragma GCC unroll 4
    for (int vector = 0; vector < kTileVectors; ++vector) {
      weights[vector] = load_integers(panel + vector * kLanes);
    }
#pragma GCC unroll 8
    for (int row = 0; row < kRows; ++row) {
      const Integers numbers = static_cast<std::int32_t>(own[row * layer.groups + group]) - Integers{};
#pragma GCC unroll 4
      for (int vector = 0; vector < kTileVectors; ++vector) {
        sums[row][vector] = add_products(sums[row][vector], numbers, weights[vector]);
      }
    }
  }
  Floats tile[kRows][kTileVectors];
#pragma GCC unroll 8
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int vector = 0; vector < kTileVectors; ++vector) {
      tile[row][vector] = kind.numbers(layer, sums[row][vector], first + row, column + vector * kLanes);
    }
  }
  store_tile(layer, tile, column, y + first * layer.out);
}

template <int kVectors>
struct FloatTiles {
  const Layer& layer;
  const float* x;
  float* y;
  std::int64_t column;
  template <int kRows>
  void run(std::int64_t row) const {
    multiply_tile<kRows, kVectors>(layer, x + row * layer.in, column, y + row * layer.out);
  }
};

template <typename Sums>
struct GroupTiles {
  const Layer& layer;
  const GroupBits* x;
  const Sums& sums;
  float* y;
  std::int64_t column;
  template <int kRows>
  void run(std::int64_t row) const {
    multiply_group_tile<kRows>(layer, x, sums, row, column, y);
  }
};

/// Multiplies all rows with the panel that begins at `column`. If the last panel needs fewer vectors, its
/// tiles have fewer vectors.
template <int kVectors>
inline void multiply_panel(const Layer& layer, const float* x, std::int64_t rows, std::int64_t column,
                           float* y) {
  if constexpr (kVectors > 1) {
    if (layer.out - column <= (kVectors - 1) * kLanes) {
      multiply_panel<kVectors - 1>(layer, x, rows, column, y);
      return;
    }
  }
  for_row_tiles<kTileRows>(rows, FloatTiles<kVectors>{layer, x, y, column});
}

/// Multiplies all rows with the first panel of weights, then with the second panel, and so on. The current
/// panel stays in the first-level cache.
inline void multiply(const Layer& layer, const float* x, std::int64_t rows, float* y) {
  for (std::int64_t column = 0; column < layer.out; column += kPanel) {
    multiply_panel<kTileVectors>(layer, x, rows, column, y);
  }
}

template <typename Sums>
inline void multiply_groups(const Layer& layer, const GroupBits* x, const Sums& sums, std::int64_t rows,
                            float* y) {
  for (std::int64_t column = 0; column < layer.out; column += kPanel) {
    for_row_tiles<kTileRows>(rows, GroupTiles<Sums>{layer, x, sums, y, column});
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
