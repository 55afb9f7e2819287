#include "molecules/store/features/stored_row.h"

#include <cstring>

#include "molecules/store/tables/stored_value.h"

namespace molgauge::store {

void pack_row(const Hash128& key, std::span<const float> row, std::vector<std::byte>& value) {
  pack_value(key, ContentType::float32, std::as_bytes(row), value);
}

RowState unpack_row(const Hash128& key, std::span<const std::byte> value, std::span<float> row) {
  const auto content = content_of(ContentType::float32, value);
  if (!content) {
    return RowState::damaged;
  }
  if (content->size() != row.size_bytes()) {
    return RowState::wrong_width;
  }
  if (!checksum_fits(key, value)) {
    return RowState::damaged;
  }
  std::memcpy(row.data(), content->data(), row.size_bytes());
  return RowState::whole;
}

}  // namespace molgauge::store
