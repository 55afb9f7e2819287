#pragma once

#include <array>
#include <cstddef>

/// The inner loops of small_products.h for the level in use (base/numerics/ops/cpu/instruction_level.h). The
/// sums stay in registers.
namespace molgauge::ops {

constexpr std::size_t kTileRows = 4, kTileOutputs = 2, kTileColumns = 16;

using TileRows = std::array<const float*, kTileRows>;
using TileOutputs = std::array<const float*, kTileOutputs>;

/// Computes products[r][o] = sum of rows[r][i] outputs[o][i] over all i < width.
using TileProducts = std::array<std::array<float, kTileOutputs>, kTileRows>;
using ProductTile = void (*)(std::size_t width, const TileRows& rows, const TileOutputs& outputs,
                             TileProducts& products);
void multiply_anywhere(std::size_t width, const TileRows& rows, const TileOutputs& outputs,
                       TileProducts& products);
ProductTile choose_product_tile();

/// Computes sums[r * row_stride + n] = sum of weights[r][k * stride] columns[k][n] over all k < terms.
/// `columns` is [terms, kTileColumns].
using SumTile = void (*)(std::size_t terms, const TileRows& weights, std::size_t stride, const float* columns,
                         float* sums, std::size_t row_stride);
void sum_anywhere(std::size_t terms, const TileRows& weights, std::size_t stride, const float* columns,
                  float* sums, std::size_t row_stride);
SumTile choose_sum_tile();

}  // namespace molgauge::ops
