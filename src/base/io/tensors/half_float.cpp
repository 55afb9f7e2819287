#include "base/io/tensors/half_float.h"

#include <bit>

namespace molgauge::io {

float widen_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t fraction = half & 0x3ffu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // subnormal
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide_exponent = exponent == 0x1fu ? 0xffu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide_exponent << 23) | (fraction << 13));
}

std::uint16_t narrow_to_half(float number) {
  constexpr std::uint32_t kInfinite = 0x7f800000u, kTooLarge = 0x477ff000u, kSmallestNormal = 0x38800000u;
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > kInfinite) {
    return sign | 0x7e00u;
  }
  if (magnitude >= kTooLarge) {
    return sign | 0x7c00u;
  }
  if (magnitude < kSmallestNormal) {
    // `multiple` is the number in multiples of 2^-24, below 1024. A float from 2^23 on has no fraction bits,
    // so adding 2^23 rounds it to an integer.
    constexpr float kShift = 0x1p23f;
    const float multiple = std::bit_cast<float>(magnitude) * 0x1p24f;
    const float rounded = multiple + kShift;
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(rounded - kShift));
  }
  const std::uint32_t rounded = magnitude + 0x0fffu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - ((127u - 15u) << 23)) >> 13));
}

}  // namespace molgauge::io
