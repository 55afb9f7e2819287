#pragma once

#include "base/numerics/ops/cpu/levels/matrix_tiles.h"
#include "base/numerics/ops/cpu/levels/product.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// Calls step<0>() to step<kCount - 1>().
template <int kCount, int kFirst = 0, typename Step>
inline void for_tiles(const Step& step) {
  if constexpr (kFirst < kCount) {
    step.template operator()<kFirst>();
    for_tiles<kCount, kFirst + 1>(step);
  }
}

/// Adds products of bytes in the tiles, and converts their sums to floats.
struct ByteProducts {
  const float* row_scales;
  template <int kTile>
  static void add() {
    add_byte_products<kTile>();
  }
  Floats numbers(const Layer& layer, const void* sums, std::int64_t row, std::int64_t column) const {
    return scaled(layer, load_integers(layer.column_starts + column) + load_integers(sums), column,
                  row_scales[row]);
  }
};

struct Bfloat16Products {
  template <int kTile>
  static void add() {
    add_bfloat16_products<kTile>();
  }
  Floats numbers(const Layer& layer, const void* sums, std::int64_t /*row*/, std::int64_t column) const {
    return load(sums) + load(layer.bias + column);
  }
};

/// Multiplies sixteen columns of weights with up to 16 kRowTiles rows. The weights of the current step stay
/// in a tile register. x is [16 kRowTiles, groups]. Rows beyond `rows` are also multiplied, but their results
/// are not used.
template <int kRowTiles, typename Products>
inline void multiply_matrix(const Layer& layer, const GroupBits* x, std::int64_t rows, std::int64_t step,
                            const Products& products, std::int64_t column, float* y) {
  const std::int64_t panel = column / kPanel * kPanel, row_bytes = 4 * layer.groups;
  const std::uint32_t* const weights = layer.panels + panel * layer.groups + column % kPanel;
  for_tiles<kRowTiles>([]<int kTile>() { clear_tile<kFirstSum + kTile>(); });
  for (std::int64_t group = 0; group < layer.groups; group += step) {
    load_tile<kWeights>(weights + group * kPanel, 4 * kPanel);
    for_tiles<kRowTiles>([&]<int kTile>() {
      load_tile<kFirstRows + kTile>(x + kTile * kMatrixRows * layer.groups + group, row_bytes);
      Products::template add<kTile>();
    });
  }
  alignas(64) std::uint32_t sums[kMaxRowTiles * kMatrixRows][kMatrixColumns];
  for_tiles<kRowTiles>(
      [&]<int kTile>() { store_tile<kFirstSum + kTile>(sums[kTile * kMatrixRows], kMatrixBytes); });
  for (std::int64_t row = 0; row < rows; ++row) {
    store_some(y + row * layer.out + column, products.numbers(layer, sums[row], row, column),
               layer.out - column);
  }
}

template <int kRowTiles, typename Products>
inline void multiply_matrices(const Layer& layer, const GroupBits* x, std::int64_t rows,
                              const Products& products, float* y) {
  const std::int64_t steps = (layer.groups + kMatrixColumns - 1) / kMatrixColumns;
  const std::int64_t step = layer.groups / steps;  // equal steps (Kernels::longest_step)
  shape_tiles(tile_shapes(step));
  for (std::int64_t column = 0; column < layer.out; column += kMatrixColumns) {
    multiply_matrix<kRowTiles>(layer, x, rows, step, products, column, y);
  }
  release_tiles();
}

/// y [rows, out] = x W^T + b for a block of rounded rows.
template <typename Products>
inline void multiply_by_tiles(const Layer& layer, const GroupBits* x, std::int64_t rows,
                              const Products& products, float* y) {
  static_assert(kLanes == kMatrixColumns && kMaxRowTiles == 3);
  switch ((rows + kMatrixRows - 1) / kMatrixRows) {
    case 1:
      return multiply_matrices<1>(layer, x, rows, products, y);
    case 2:
      return multiply_matrices<2>(layer, x, rows, products, y);
    case 3:
      return multiply_matrices<3>(layer, x, rows, products, y);
    default:
      return;  // there are no rows
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
