#pragma once

#include <cstdint>

#include "base/numerics/ops/training/keyed_numbers.h"

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
  const std::int64_t* keys;   ///< [molecules] keys at the place of the dropout
  const std::int64_t* first;  ///< [molecules + 1] first token of a molecule
  const std::int64_t* of;     ///< [n] the molecule of a token
  ops::KeyedFactors dropout;  ///< threshold and factor of the dropout. Each row uses a copy with its own key
  std::int64_t width;
  float* factors;  ///< [n, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const std::int64_t row = i / width, molecule = of[row];
    ops::KeyedFactors own = dropout;
    own.key = ops::keyed_number(static_cast<std::uint64_t>(keys[molecule]),
                                static_cast<std::uint64_t>(row - first[molecule]));
    factors[i] = own[static_cast<std::uint64_t>(i % width)];
  }
};

}  // namespace molgauge::torch::cuda
