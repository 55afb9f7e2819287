#pragma once

#include <cstdint>

#include "base/numerics/ops/everywhere.h"

namespace molgauge::torch::cuda {

/// Converts the index i of an element to its row and column in a matrix of this width. Numbers below 2^32 are
/// divided in 32 bits, because a 64-bit division takes longer on a GPU than the arithmetic of a step.
struct RowAndColumn {
  std::int64_t row, column;

  MOLGAUGE_EVERYWHERE static RowAndColumn of(std::int64_t i, std::int64_t width) {
    if (((i | width) >> 32) == 0) {
      const auto number = static_cast<std::uint32_t>(i), own = static_cast<std::uint32_t>(width);
      return {number / own, number % own};
    }
    return {i / width, i % width};
  }
};

}  // namespace molgauge::torch::cuda
