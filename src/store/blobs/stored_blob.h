#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/hash.h"

namespace headroom::store {

/// A value of variable size as it lies in the store, little-endian:
///
///   offset 0      uint16   version of this layout, 1
///          2      uint16   type of the content, 2 = bytes (1 are the numbers of store/features/stored_row.h)
///          4      uint32   bytes of the content, n
///          8      n        the content
///          8+n    uint64   XXH3-64 of the 16 bytes of the key followed by everything above
///
/// The checksum covers the key, so that a value that ended up under another key is damaged too.
///
/// `value` is overwritten with the stored form; it is passed in so that its memory can be used again.
void pack_blob(const Hash128& key, std::span<const std::byte> content, std::vector<std::byte>& value);

/// The content, where it lies in `value`; nothing when the value is damaged. Reads nothing outside `value`,
/// whatever is in it.
std::optional<std::span<const std::byte>> unpack_blob(const Hash128& key, std::span<const std::byte> value);

}  // namespace headroom::store
