#pragma once

#include <cstdint>

#include "base/numerics/ops/everywhere.h"

/// Counter-based random numbers: a key and an index determine each number.
namespace molgauge::ops {

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the result depends on every bit of
/// `x`.
MOLGAUGE_EVERYWHERE inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// Returns number `index` of the random sequence of `key`.
MOLGAUGE_EVERYWHERE inline std::uint64_t keyed_number(std::uint64_t key, std::uint64_t index) {
  return mix(key + 0x9E3779B97F4A7C15U * (index + 1));
}

/// The dropout mask of a row. Number `place` is dropped if its keyed number is below the threshold.
struct KeyedFactors {
  std::uint64_t key = 0;        ///< key of the row
  std::uint64_t threshold = 0;  ///< dropout probability times 2^32. If 0, nothing is dropped
  float kept = 1;               ///< factor of the numbers that are not dropped

  static KeyedFactors of(double dropout, std::uint64_t key) {
    return {key, static_cast<std::uint64_t>(dropout * 4294967296.0),
            static_cast<float>(1.0 / (1.0 - dropout))};
  }
  MOLGAUGE_EVERYWHERE float operator[](std::uint64_t place) const {
    return threshold == 0 || (keyed_number(key, place) >> 32) >= threshold ? kept : 0.0F;
  }
};

}  // namespace molgauge::ops
