#pragma once

#include "base/numerics/ops/cpu/levels/vector.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// Interleaves half of the lanes of a and b, starting with lane kFirst (0 or kLanes / 2). Lane 2 i of the
/// result is a[i + kFirst], and lane 2 i + 1 is b[i + kFirst].
template <int kFirst, int... kLane>
inline Floats interleaved(Floats a, Floats b, std::integer_sequence<int, kLane...> /*lanes*/) {
  return __builtin_shufflevector(a, b, (kLane % 2 * kLanes + kLane / 2 + kFirst)...);
}
inline Floats interleaved_first(Floats a, Floats b) {
  return interleaved<0>(a, b, std::make_integer_sequence<int, kLanes>());
}
inline Floats interleaved_last(Floats a, Floats b) {
  return interleaved<kLanes / 2>(a, b, std::make_integer_sequence<int, kLanes>());
}

/// Transposes a matrix of kLanes rows in place. Each step interleaves row i with row i + kLanes / 2.
inline void transpose(Floats (&rows)[kLanes]) {
#pragma GCC unroll 4
  for (int step = 1; step < kLanes; step *= 2) {
    Floats made[kLanes];
#pragma GCC unroll 8
    for (std::ptrdiff_t row = 0; row < kLanes / 2; ++row) {
      made[2 * row] = interleaved_first(rows[row], rows[row + kLanes / 2]);
      made[2 * row + 1] = interleaved_last(rows[row], rows[row + kLanes / 2]);
    }
#pragma GCC unroll 16
    for (int row = 0; row < kLanes; ++row) {
      rows[row] = made[row];
    }
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
