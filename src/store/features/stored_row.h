#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/hash.h"

namespace headroom::store {

/// A feature row as it lies in the store, little-endian:
///
///   offset 0      uint16   version of this layout, 1
///          2      uint16   type of the numbers, 1 = float32
///          4      uint32   numbers in the row, w
///          8      w * 4    the numbers
///          8+4w   uint64   XXH3-64 of the 16 bytes of the key followed by everything above
///
/// The checksum covers the key, so that a row that ended up under another molecule's key is damaged too.
std::size_t stored_size(std::size_t width);

/// The checksum of a stored row or value, including its key.
std::uint64_t checksum_with_key(const Hash128& key, std::span<const std::byte> above);

/// `value` is overwritten with the stored form; it is passed in so that its memory can be used again.
void pack_row(const Hash128& key, std::span<const float> row, std::vector<std::byte>& value);

enum class RowState { whole, damaged, wrong_width };

/// Checks a stored row and, when it is whole, copies its numbers; `row` has as many as the space is wide.
/// Otherwise `row` is left alone. Reads nothing outside `value`, whatever is in it.
RowState unpack_row(const Hash128& key, std::span<const std::byte> value, std::span<float> row);

}  // namespace headroom::store
