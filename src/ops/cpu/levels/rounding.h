#pragma once

#include "ops/cpu/levels/vector.h"

namespace headroom::ops::cpu::HEADROOM_LEVEL {

inline constexpr float kLargestInteger = 127.0F;

/// Rounds a row to integers of -127 to 127, followed by a 0 where their number is odd, and returns what 1
/// stands for: NaN where a number is not finite, so that the whole row of the product is.
inline float round_to_integers(const float* row, std::int64_t width, std::int16_t* integers) {
  Floats largest = {}, nothing = {};
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    const Floats numbers = load(row + i);
    largest = larger(larger(numbers, -numbers), largest);
    nothing += numbers * 0.0F;  // NaN where a number is not finite
  }
  float most = largest_of(largest), none = sum_of(nothing);
  for (; i < width; ++i) {
    const float size = row[i] < 0 ? -row[i] : row[i];
    most = size > most ? size : most;
    none += row[i] * 0.0F;
  }
  const bool finite = none == none;
  const float inverse = finite && most > 0 ? kLargestInteger / most : 0.0F;
  for (i = 0; i < width; ++i) {
    // Adding and subtracting 1.5 * 2^23 rounds to nearest even in every rounding unit there is.
    constexpr float kRound = 12582912.0F;
    integers[i] = finite ? static_cast<std::int16_t>((row[i] * inverse + kRound) - kRound) : std::int16_t{0};
  }
  if (width % 2 != 0) {
    integers[width] = 0;
  }
  return finite ? most / kLargestInteger : __builtin_nanf("");
}

/// Rounds numbers to bfloat16, to nearest even; NaN stays NaN.
inline void round_to_bfloat16(const float* numbers, std::int64_t count, float* rounded) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, numbers + i, sizeof(bits));
    const std::uint32_t up = bits + 0x7FFFU + ((bits >> 16) & 1U);
    bits = (numbers[i] == numbers[i] ? up : bits | 0x400000U) & 0xFFFF0000U;
    __builtin_memcpy(rounded + i, &bits, sizeof(bits));
  }
}

}  // namespace headroom::ops::cpu::HEADROOM_LEVEL
