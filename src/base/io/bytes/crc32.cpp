#include "base/io/bytes/crc32.h"

#include <array>

#include "base/io/bytes/little_endian.h"

namespace molgauge::io {
namespace {

using Table = std::array<std::uint32_t, 256>;

// tables[k][b]: the contribution of byte b to the checksum if k more bytes of the eight-byte step follow it.
constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1) ^ ((value & 1u) != 0 ? 0xedb88320u : 0u);
    }
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xffu];
    }
  }
  return tables;
}

constexpr std::array<Table, 8> kTables = make_tables();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t value = ~before;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    const std::uint64_t step = load_little_endian<std::uint64_t>(bytes.data()) ^ value;
    value = 0;
    for (unsigned k = 0; k < 8; ++k) {
      value ^= kTables[7 - k][(step >> (8 * k)) & 0xffu];
    }
  }
  for (const std::byte byte : bytes) {
    value = (value >> 8) ^ kTables[0][(value ^ std::to_integer<std::uint32_t>(byte)) & 0xffu];
  }
  return ~value;
}

}  // namespace molgauge::io
