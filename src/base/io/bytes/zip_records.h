#pragma once

#include <cstdint>

/// Signatures of the records of a zip archive (PKWARE APPNOTE 6.3, section 4.3).
namespace molgauge::io {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50;
inline constexpr std::uint32_t kEndRecord = 0x06054b50;
inline constexpr std::uint32_t kZip64EndRecord = 0x06064b50, kZip64Locator = 0x07064b50;
/// The extra field with the sizes and the offset that do not fit in the regular fields.
inline constexpr std::uint16_t kZip64Extra = 1;
/// The marker for zip64. If a field contains this marker, its true value is in the zip64 extra field.
inline constexpr std::uint16_t kClipped16 = 0xffff;
inline constexpr std::uint32_t kClipped32 = 0xffffffff;

}  // namespace molgauge::io
