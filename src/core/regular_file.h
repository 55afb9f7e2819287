#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace headroom {

/// The largest file of our own that is read as a whole, in bytes.
inline constexpr std::uint64_t kLargestOwnFile = std::uint64_t{4} << 30;

/// Throws InputError if `file` exists and is not a regular file, or if it has more than `most` bytes. A link
/// counts as the file that it leads to. Call it before a file of a folder of ours is opened: to open a pipe
/// may wait forever, and a device such as /dev/zero never ends.
void require_regular_file(const std::filesystem::path& file, std::uint64_t most = UINT64_MAX);

}  // namespace headroom
