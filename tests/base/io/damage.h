#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::test {

using ReadBytes = std::function<void(std::vector<std::byte>)>;

/// Expects an InputError for every proper prefix of the bytes.
inline void expect_refused_when_truncated(const std::vector<std::byte>& whole, const ReadBytes& read) {
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW(read(part), InputError) << "cut to " << length << " of " << whole.size() << " bytes";
  }
}

/// Flips each bit in turn. The bytes are either read or refused with an InputError. Returns the number of
/// refusals.
inline std::size_t expect_survives_bit_flips(std::vector<std::byte> bytes, const ReadBytes& read) {
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const std::byte mask{static_cast<unsigned char>(1u << (bit % 8))};
    bytes[bit / 8] ^= mask;
    try {
      read(bytes);
    } catch (const InputError&) {
      ++refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "bit " << bit << " flipped: " << error.what();
    }
    bytes[bit / 8] ^= mask;
  }
  return refused;
}

}  // namespace molgauge::test
