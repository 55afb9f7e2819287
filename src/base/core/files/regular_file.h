#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace molgauge {

/// The largest size, in bytes, of a file of Molgauge that is read as a whole.
inline constexpr std::uint64_t kLargestOwnFile = std::uint64_t{4} << 30;

/// Throws InputError if `file` exists and is not a regular file, or if it has more than `most` bytes. A link
/// counts as the file that it leads to. Call it before a file in one of Molgauge's folders is opened. Opening
/// a pipe may wait forever, and reading a device such as /dev/zero never ends.
void require_regular_file(const std::filesystem::path& file, std::uint64_t most = UINT64_MAX);

}  // namespace molgauge
