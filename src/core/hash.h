#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace headroom {

/// 128-bit hash in canonical (big-endian) byte order.
using Hash128 = std::array<std::uint8_t, 16>;

/// XXH3, 128 bits: identity of a molecule's text in the feature store.
Hash128 hash128(std::string_view text);

/// XXH3, 64 bits: checksum of a stored value.
std::uint64_t checksum64(std::span<const std::byte> bytes);

}  // namespace headroom
