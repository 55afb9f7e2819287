#pragma once

#include <bit>
#include <cstdint>

// Functions without branches, for loops that the compiler vectorises.

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

/// exp(x) for x <= 0, with the same series as the kernels (attention.h). For x below -86, returns exp(-86). A
/// NaN stays a NaN.
inline float exponential(float x) {
  constexpr float kLowest = -86.0F, kReciprocalOfLn2 = 1.44269504088896341F;
  constexpr float kLn2First = 0.693359375F, kLn2Rest = -2.12194440054690583e-4F, kRounding = 12582912.0F;
  const float within = x < kLowest ? kLowest : x;
  const float rounded = within * kReciprocalOfLn2 + kRounding;
  const float n = rounded - kRounding;
  const float r = (within - n * kLn2First) - n * kLn2Rest;
  float sum = 1.0F / 5040;
  sum = sum * r + 1.0F / 720;
  sum = sum * r + 1.0F / 120;
  sum = sum * r + 1.0F / 24;
  sum = sum * r + 1.0F / 6;
  sum = sum * r + 0.5F;
  sum = sum * r + 1.0F;
  sum = sum * r + 1.0F;
  constexpr unsigned kMantissaBits = 23;
  const auto power = std::bit_cast<float>(std::bit_cast<std::uint32_t>(sum) +
                                          (std::bit_cast<std::uint32_t>(rounded) << kMantissaBits));
  // A NaN is returned unchanged, because its shifted bits could become a number.
  return x == x ? power : x;
}

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
