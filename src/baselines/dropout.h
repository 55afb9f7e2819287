#pragma once

#include <cstdint>
#include <span>

namespace headroom::baselines {

/// Decides which activations dropout keeps. Every decision is a hash of the row's key and of which activation
/// it is, so that it depends neither on the other rows of a batch nor on the order of the work.
struct Dropout {
  double probability = 0;
  std::span<const std::uint64_t> row_keys;  ///< one a row of the batch; may be empty when probability is 0
  std::uint64_t draw = 0;                   ///< tells apart several passes over the same rows
};

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the result depends on every bit of
/// `x`.
inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// The `index`-th number of the sequence that `key` names.
inline std::uint64_t keyed_number(std::uint64_t key, std::uint64_t index) {
  return mix(key + 0x9E3779B97F4A7C15U * (index + 1));
}

}  // namespace headroom::baselines
