#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/core/hash.h"

/// A feature row in the store: a value of type float32 (molecules/store/tables/stored_value.h).
namespace molgauge::store {

/// Overwrites `value` with the stored form of the row. To save allocations, the caller can pass the same
/// vector again.
void pack_row(const Hash128& key, std::span<const float> row, std::vector<std::byte>& value);

enum class RowState { whole, damaged, wrong_width };

/// Checks a stored row, and copies its numbers if it is intact. Otherwise `row` stays unchanged. `row` has
/// the width of the space. Never reads outside `value`, even if the content is damaged.
RowState unpack_row(const Hash128& key, std::span<const std::byte> value, std::span<float> row);

}  // namespace molgauge::store
