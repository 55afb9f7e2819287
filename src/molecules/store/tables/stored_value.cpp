#include "molecules/store/tables/stored_value.h"

#include <bit>
#include <cstring>

namespace molgauge::store {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they lie in memory");

struct Header {
  std::uint16_t version = 1;
  ContentType type = ContentType::bytes;
  std::uint32_t elements = 0;
  bool operator==(const Header&) const = default;
};
static_assert(sizeof(Header) == 8);

using Checksum = std::uint64_t;

std::size_t element_bytes(ContentType type) { return type == ContentType::float32 ? sizeof(float) : 1; }

Checksum checksum_with_key(const Hash128& key, std::span<const std::byte> above) {
  thread_local std::vector<std::byte> covered;
  covered.resize(key.size() + above.size());
  std::memcpy(covered.data(), key.data(), key.size());
  std::memcpy(covered.data() + key.size(), above.data(), above.size());
  return checksum64(covered);
}

std::span<const std::byte> above_checksum(std::span<const std::byte> value) {
  return value.first(value.size() - sizeof(Checksum));
}

}  // namespace

std::size_t stored_size(ContentType type, std::size_t elements) {
  return sizeof(Header) + elements * element_bytes(type) + sizeof(Checksum);
}

void pack_value(const Hash128& key, ContentType type, std::span<const std::byte> content,
                std::vector<std::byte>& value) {
  const std::size_t elements = content.size() / element_bytes(type);
  value.resize(stored_size(type, elements));
  const Header header{.type = type, .elements = static_cast<std::uint32_t>(elements)};
  std::memcpy(value.data(), &header, sizeof(header));
  if (!content.empty()) {
    std::memcpy(value.data() + sizeof(header), content.data(), content.size());
  }
  const auto covered = above_checksum(value);
  const Checksum checksum = checksum_with_key(key, covered);
  std::memcpy(value.data() + covered.size(), &checksum, sizeof(checksum));
}

std::optional<std::span<const std::byte>> content_of(ContentType type, std::span<const std::byte> value) {
  if (value.size() < stored_size(type, 0)) {
    return std::nullopt;
  }
  Header header;
  std::memcpy(&header, value.data(), sizeof(header));
  if (header != Header{.type = type, .elements = header.elements} ||
      value.size() != stored_size(type, header.elements)) {
    return std::nullopt;
  }
  return above_checksum(value).subspan(sizeof(header));
}

bool checksum_fits(const Hash128& key, std::span<const std::byte> value) {
  const auto covered = above_checksum(value);
  Checksum checksum;
  std::memcpy(&checksum, value.data() + covered.size(), sizeof(checksum));
  return checksum == checksum_with_key(key, covered);
}

std::optional<std::span<const std::byte>> whole_content(const Hash128& key, ContentType type,
                                                        std::span<const std::byte> value) {
  const auto content = content_of(type, value);
  return content && checksum_fits(key, value) ? content : std::nullopt;
}

}  // namespace molgauge::store
