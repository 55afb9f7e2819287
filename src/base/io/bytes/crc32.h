#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace molgauge::io {

/// CRC-32 of zip archives (ISO 3309: reflected polynomial 0xEDB88320), processed eight bytes at a time.
/// `before`: the checksum of the preceding bytes.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace molgauge::io
