#pragma once

#include "base/numerics/ops/cpu/levels/group_products.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

inline constexpr float kLargestInteger = 127.0F;
inline constexpr float kSmallestRounded = 1e-36F;  ///< kLargestInteger / kSmallestRounded must be finite

/// Returns the largest absolute value of a row, or NaN if a number is not finite.
inline float largest_size(const float* row, std::int64_t width) {
  Floats largest = {}, nothing = {};
  std::int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    const Floats numbers = load(row + i);
    largest = larger(larger(numbers, -numbers), largest);
    nothing += numbers * 0.0F;  // NaN if a number is not finite
  }
  float most = largest_of(largest), none = sum_of(nothing);
  for (; i < width; ++i) {
    const float size = row[i] < 0 ? -row[i] : row[i];
    most = size > most ? size : most;
    none += row[i] * 0.0F;
  }
  return none == none ? most : none;
}

/// Rounds a row to integers from -127 to 127 and adds kRoundedShift to each. Writes zeros after the row, up
/// to `padded` numbers. Returns the value of one unit. The unit is NaN if a number is not finite. The row of
/// the product then becomes NaN.
inline float round_to_integers(const float* row, std::int64_t width, std::int64_t padded, Rounded* integers) {
  const float most = largest_size(row, width);
  const bool finite = most == most;
  // If the numbers are so small that the inverse does not fit in float32, the row becomes zeros.
  const float inverse = finite && most > kSmallestRounded ? kLargestInteger / most : 0.0F;
  for (std::int64_t i = 0; i < width; ++i) {
    // Adding and subtracting 1.5 * 2^23 rounds to nearest even on every processor.
    constexpr float kRound = 12582912.0F;
    const float nearest = finite ? (row[i] * inverse + kRound) - kRound : 0.0F;
    integers[i] = static_cast<Rounded>(static_cast<std::int32_t>(nearest) + kRoundedShift);
  }
  for (std::int64_t i = width; i < padded; ++i) {
    integers[i] = 0;
  }
  return finite ? most / kLargestInteger : __builtin_nanf("");
}

/// Rounds a number to bfloat16, to nearest even. Returns its bits in the upper half. NaN stays NaN.
inline std::uint32_t rounded_bits(float number) {
  std::uint32_t bits = 0;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  const std::uint32_t up = bits + 0x7FFFU + ((bits >> 16) & 1U);
  return number == number ? up : bits | 0x400000U;
}

/// Rounds numbers to bfloat16 and stores them as float32.
inline void round_to_bfloat16(const float* numbers, std::int64_t count, float* rounded) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = rounded_bits(numbers[i]) & 0xFFFF0000U;
    __builtin_memcpy(rounded + i, &bits, sizeof(bits));
  }
}

/// Rounds a row to 16-bit bfloat16, followed by zeros up to `padded`.
inline void round_to_bfloat16(const float* row, std::int64_t width, std::int64_t padded,
                              std::uint16_t* rounded) {
  for (std::int64_t i = 0; i < width; ++i) {
    rounded[i] = static_cast<std::uint16_t>(rounded_bits(row[i]) >> 16);
  }
  for (std::int64_t i = width; i < padded; ++i) {
    rounded[i] = 0;
  }
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
