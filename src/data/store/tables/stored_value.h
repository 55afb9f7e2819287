#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/hash.h"

namespace headroom::store {

enum class ContentType : std::uint16_t { float32 = 1, bytes = 2 };

/// A value as it lies in the store, little-endian:
///
///   offset 0      uint16   version of this layout, 1
///          2      uint16   type of the content
///          4      uint32   elements of the content, n: numbers or bytes
///          8      n * s    the content; s is 4 for float32 and 1 for bytes
///          8+n*s  uint64   XXH3-64 of the 16 bytes of the key followed by everything above
///
/// The checksum covers the key, so that a value that ended up under another key is damaged too.
std::size_t stored_size(ContentType type, std::size_t elements);

/// `value` is overwritten with the stored form; it is passed in so that its memory can be used again.
void pack_value(const Hash128& key, ContentType type, std::span<const std::byte> content,
                std::vector<std::byte>& value);

/// The content, where it lies in `value`, if the header is of this type and fits the length of `value`; the
/// checksum is not read. Reads nothing outside `value`, whatever is in it.
std::optional<std::span<const std::byte>> content_of(ContentType type, std::span<const std::byte> value);

/// For a value that has a content.
bool checksum_fits(const Hash128& key, std::span<const std::byte> value);

/// The content of a value that is whole in both respects.
std::optional<std::span<const std::byte>> whole_content(const Hash128& key, ContentType type,
                                                        std::span<const std::byte> value);

}  // namespace headroom::store
