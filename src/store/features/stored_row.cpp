#include "store/features/stored_row.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace headroom::store {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are stored as they lie in memory");

struct Header {
  std::uint16_t version = 1;
  std::uint16_t type = 1;
  std::uint32_t width = 0;
};
static_assert(sizeof(Header) == 8);

using Checksum = std::uint64_t;

}  // namespace

std::uint64_t checksum_with_key(const Hash128& key, std::span<const std::byte> above) {
  thread_local std::vector<std::byte> covered;
  covered.resize(key.size() + above.size());
  std::memcpy(covered.data(), key.data(), key.size());
  std::memcpy(covered.data() + key.size(), above.data(), above.size());
  return checksum64(covered);
}

std::size_t stored_size(std::size_t width) {
  return sizeof(Header) + width * sizeof(float) + sizeof(Checksum);
}

void pack_row(const Hash128& key, std::span<const float> row, std::vector<std::byte>& value) {
  value.resize(stored_size(row.size()));
  const Header header{.width = static_cast<std::uint32_t>(row.size())};
  std::memcpy(value.data(), &header, sizeof(header));
  std::memcpy(value.data() + sizeof(header), row.data(), row.size_bytes());
  const std::span covered = std::span(value).first(value.size() - sizeof(Checksum));
  const Checksum checksum = checksum_with_key(key, covered);
  std::memcpy(value.data() + covered.size(), &checksum, sizeof(checksum));
}

RowState unpack_row(const Hash128& key, std::span<const std::byte> value, std::span<float> row) {
  if (value.size() < stored_size(0)) {
    return RowState::damaged;
  }
  Header header;
  std::memcpy(&header, value.data(), sizeof(header));
  const Header expected{.width = static_cast<std::uint32_t>(row.size())};
  if (header.version != expected.version || header.type != expected.type ||
      value.size() != stored_size(header.width)) {
    return RowState::damaged;
  }
  // Before the checksum: a damaged length may reach beyond the file.
  if (header.width != expected.width) {
    return RowState::wrong_width;
  }
  const std::span covered = value.first(value.size() - sizeof(Checksum));
  Checksum checksum;
  std::memcpy(&checksum, value.data() + covered.size(), sizeof(checksum));
  if (checksum != checksum_with_key(key, covered)) {
    return RowState::damaged;
  }
  std::memcpy(row.data(), value.data() + sizeof(header), row.size_bytes());
  return RowState::whole;
}

}  // namespace headroom::store
