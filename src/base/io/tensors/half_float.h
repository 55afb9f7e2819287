#pragma once

#include <cstdint>

namespace molgauge::io {

// IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits.

/// Converts a 16-bit number to float without rounding.
float widen_half(std::uint16_t half);

/// Rounds to the nearest 16-bit number, ties to even, like astype(float16) of NumPy. Numbers of at least
/// 65520 become infinite. NaN stays NaN.
std::uint16_t narrow_to_half(float number);

}  // namespace molgauge::io
