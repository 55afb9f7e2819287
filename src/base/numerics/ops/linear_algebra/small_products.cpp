#include "base/numerics/ops/linear_algebra/small_products.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/numerics/ops/linear_algebra/product_tiles.h"

namespace molgauge::ops {
namespace {

/// Returns pointers to the rows first, first + 1, ... of an array with `count` rows. After the last row, the
/// pointer to the last row is repeated.
template <std::size_t Size>
std::array<const float*, Size> tile_of(const float* rows, std::size_t stride, std::size_t first,
                                       std::size_t count) {
  std::array<const float*, Size> tile;
  for (std::size_t i = 0; i < Size; ++i) {
    tile[i] = rows + std::min(first + i, count - 1) * stride;
  }
  return tile;
}

/// Copies `width` columns. A copy of constant length needs no function call. Nearly all tiles have the length
/// kTileColumns, so this length has its own copy.
void copy_columns(const WeightedSums& shape, const float* x, std::size_t width, float* columns) {
  for (std::size_t k = 0; k < shape.terms; ++k) {
    if (width == kTileColumns) {
      std::memcpy(columns + k * kTileColumns, x + k * shape.width, kTileColumns * sizeof(float));
    } else {
      std::copy_n(x + k * shape.width, width, columns + k * kTileColumns);
    }
  }
}

}  // namespace

void apply_linear(const LinearShape& shape, const float* x, const float* w, const float* bias, float* y) {
  static const ProductTile multiply = choose_product_tile();
  for (std::size_t row = 0; row < shape.rows; row += kTileRows) {
    const auto rows = tile_of<kTileRows>(x, shape.inputs, row, shape.rows);
    const std::size_t last_row = std::min(row + kTileRows, shape.rows);
    for (std::size_t output = 0; output < shape.outputs; output += kTileOutputs) {
      TileProducts products;
      multiply(shape.inputs, rows, tile_of<kTileOutputs>(w, shape.inputs, output, shape.outputs), products);
      const std::size_t last_output = std::min(output + kTileOutputs, shape.outputs);
      for (std::size_t r = row; r < last_row; ++r) {
        for (std::size_t o = output; o < last_output; ++o) {
          y[r * shape.outputs + o] = products[r - row][o - output] + bias[o];
        }
      }
    }
  }
}

void add_weighted_rows(const WeightedSums& shape, const float* weights, const float* x, float* y) {
  static const SumTile sum = choose_sum_tile();
  // Copies sixteen columns together. Rows with a length that is a power of two would otherwise evict each
  // other from the cache.
  std::vector<float> columns(shape.terms * kTileColumns, 0.0F);
  for (std::size_t column = 0; column < shape.width; column += kTileColumns) {
    const std::size_t width = std::min(kTileColumns, shape.width - column);
    copy_columns(shape, x + column, width, columns.data());
    for (std::size_t first = 0; first < shape.sums; first += kTileRows) {
      const auto tile = tile_of<kTileRows>(weights, shape.sum_stride, first, shape.sums);
      float* const target = y + first * shape.width + column;
      const std::size_t rows = std::min(kTileRows, shape.sums - first);
      if (width == kTileColumns && rows == kTileRows) {
        sum(shape.terms, tile, shape.term_stride, columns.data(), target, shape.width);
        continue;
      }
      std::array<float, kTileRows * kTileColumns> sums;
      sum(shape.terms, tile, shape.term_stride, columns.data(), sums.data(), kTileColumns);
      for (std::size_t r = 0; r < rows; ++r) {
        std::copy_n(&sums[r * kTileColumns], width, target + r * shape.width);
      }
    }
  }
}

}  // namespace molgauge::ops
