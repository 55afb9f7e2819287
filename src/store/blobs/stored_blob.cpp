#include "store/blobs/stored_blob.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "store/features/stored_row.h"

namespace headroom::store {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they lie in memory");

struct Header {
  std::uint16_t version = 1;
  std::uint16_t type = 2;
  std::uint32_t bytes = 0;
  bool operator==(const Header&) const = default;
};
static_assert(sizeof(Header) == 8);

using Checksum = std::uint64_t;
constexpr std::size_t kEmpty = sizeof(Header) + sizeof(Checksum);

}  // namespace

void pack_blob(const Hash128& key, std::span<const std::byte> content, std::vector<std::byte>& value) {
  value.resize(kEmpty + content.size());
  const Header header{.bytes = static_cast<std::uint32_t>(content.size())};
  std::memcpy(value.data(), &header, sizeof(header));
  if (!content.empty()) {
    std::memcpy(value.data() + sizeof(header), content.data(), content.size());
  }
  const std::span covered = std::span(value).first(value.size() - sizeof(Checksum));
  const Checksum checksum = checksum_with_key(key, covered);
  std::memcpy(value.data() + covered.size(), &checksum, sizeof(checksum));
}

std::optional<std::span<const std::byte>> unpack_blob(const Hash128& key, std::span<const std::byte> value) {
  if (value.size() < kEmpty) {
    return std::nullopt;
  }
  Header header;
  std::memcpy(&header, value.data(), sizeof(header));
  // Before the checksum: a damaged length may reach beyond the file.
  if (header != Header{.bytes = static_cast<std::uint32_t>(value.size() - kEmpty)}) {
    return std::nullopt;
  }
  const std::span covered = value.first(value.size() - sizeof(Checksum));
  Checksum checksum;
  std::memcpy(&checksum, value.data() + covered.size(), sizeof(checksum));
  if (checksum != checksum_with_key(key, covered)) {
    return std::nullopt;
  }
  return covered.subspan(sizeof(header));
}

}  // namespace headroom::store
