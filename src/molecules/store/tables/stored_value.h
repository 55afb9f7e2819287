#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/core/hash.h"

namespace molgauge::store {

enum class ContentType : std::uint16_t { float32 = 1, bytes = 2 };

/// Returns the bytes of a value in the store. The layout of a value, little-endian:
///
///   offset 0      uint16   version of this layout, 1
///          2      uint16   type of the content
///          4      uint32   elements of the content, n: numbers or bytes
///          8      n * s    the content; s is 4 for float32 and 1 for bytes
///          8+n*s  uint64   XXH3-64 of the 16 bytes of the key followed by everything above
///
/// The checksum includes the key, so a value under a wrong key counts as damaged.
std::size_t stored_size(ContentType type, std::size_t elements);

/// Overwrites `value` with the stored form of `content`. To save allocations, the caller can pass the same
/// vector again.
void pack_value(const Hash128& key, ContentType type, std::span<const std::byte> content,
                std::vector<std::byte>& value);

/// Returns the content of `value`, if the header has this type and matches the length of `value`. Does not
/// check the checksum. Never reads outside `value`, even if it is damaged.
std::optional<std::span<const std::byte>> content_of(ContentType type, std::span<const std::byte> value);

/// Whether the checksum is correct. Call it only if content_of() has returned a content for `value`.
bool checksum_fits(const Hash128& key, std::span<const std::byte> value);

/// Returns the content if header and checksum are both correct.
std::optional<std::span<const std::byte>> whole_content(const Hash128& key, ContentType type,
                                                        std::span<const std::byte> value);

}  // namespace molgauge::store
