#pragma once

#include <bit>
#include <cstddef>
#include <cstring>

namespace headroom::io {

// Every format here is little-endian, and so is every machine this is built for: numbers are copied as they
// lie.
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

}  // namespace headroom::io
