#pragma once

#include <cstdint>

/// What the records of a zip archive begin with (PKWARE APPNOTE 6.3, section 4.3).
namespace headroom::io {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50;
inline constexpr std::uint32_t kEndRecord = 0x06054b50;

}  // namespace headroom::io
