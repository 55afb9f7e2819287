#pragma once

#include <cstdint>

#include "base/numerics/ops/cpu/kernels.h"

namespace molgauge::ops {

/// Rounds a number of columns up to whole vectors of the small products (base/numerics/ops/cpu/kernels.h).
inline std::int64_t padded(std::int64_t columns) {
  return (columns + cpu::kProductColumns - 1) / cpu::kProductColumns * cpu::kProductColumns;
}

}  // namespace molgauge::ops
