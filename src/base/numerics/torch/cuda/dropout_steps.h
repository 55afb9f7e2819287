#pragma once

#include <cstdint>

#include "base/numerics/ops/training/keyed_numbers.h"
#include "base/numerics/torch/cuda/row_and_column.h"

namespace molgauge::torch::cuda {

/// Computes the dropout keys at a place in the network from the keys of the molecules. A step computes one
/// key.
struct PlacedKeys {
  const std::int64_t* keys;  ///< [molecules]
  std::int64_t place;
  std::int64_t* placed;  ///< [molecules]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    placed[i] = static_cast<std::int64_t>(
        ops::keyed_number(static_cast<std::uint64_t>(keys[i]), static_cast<std::uint64_t>(place)));
  }
};

/// Computes the dropout factors of the rows of molecules (base/numerics/torch/keyed_dropout.h), as GPU steps
/// (launch_steps.h). A step computes one factor.
struct RowFactors {
  const std::int64_t* keys;   ///< [molecules]
  std::int64_t place;         ///< place of the dropout in the network
  const std::int64_t* first;  ///< [molecules + 1] first token of a molecule
  const std::int64_t* of;     ///< [n] the molecule of a token
  ops::KeyedFactors dropout;  ///< threshold and factor of the dropout. Each row uses a copy with its own key
  std::int64_t width;
  float* factors;  ///< [n, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, k] = RowAndColumn::of(i, width);
    factors[i] = factor(row, k);
  }
  MOLGAUGE_EVERYWHERE float factor(std::int64_t row, std::int64_t k) const {
    const std::int64_t molecule = of[row];
    const std::uint64_t key =
        ops::keyed_number(static_cast<std::uint64_t>(keys[molecule]), static_cast<std::uint64_t>(place));
    ops::KeyedFactors own = dropout;
    own.key = ops::keyed_number(key, static_cast<std::uint64_t>(row - first[molecule]));
    return own[static_cast<std::uint64_t>(k)];
  }
};

/// Multiplies the first columns of rows by their dropout factors. The width of the factors is the number of
/// these columns.
struct DroppedRows {
  RowFactors factors;
  const float* rows;
  std::int64_t width;
  float* out;  ///< [n, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, k] = RowAndColumn::of(i, width);
    out[i] = k < factors.width ? rows[i] * factors.factor(row, k) : rows[i];
  }
};

}  // namespace molgauge::torch::cuda
