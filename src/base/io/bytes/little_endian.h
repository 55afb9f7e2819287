#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

namespace molgauge::io {

// All formats here and all supported machines are little-endian, so numbers are copied without conversion.
static_assert(std::endian::native == std::endian::little, "a big-endian machine needs byte swapping here");

/// The number that starts at `bytes`, which need not be aligned.
template <typename Number>
Number load_little_endian(const std::byte* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof(Number));
  return number;
}

template <typename Number>
void store_little_endian(std::byte* bytes, Number number) {
  std::memcpy(bytes, &number, sizeof(Number));
}

}  // namespace molgauge::io
