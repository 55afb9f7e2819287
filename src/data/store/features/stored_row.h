#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/hash.h"

/// A feature row in the store: a value of type float32 (data/store/tables/stored_value.h).
namespace headroom::store {

/// `value` is overwritten with the stored form; it is passed in so that its memory can be used again.
void pack_row(const Hash128& key, std::span<const float> row, std::vector<std::byte>& value);

enum class RowState { whole, damaged, wrong_width };

/// Checks a stored row and, when it is whole, copies its numbers; `row` has as many as the space is wide.
/// Otherwise `row` is left alone. Reads nothing outside `value`, whatever is in it.
RowState unpack_row(const Hash128& key, std::span<const std::byte> value, std::span<float> row);

}  // namespace headroom::store
