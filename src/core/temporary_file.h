#pragma once

#include <filesystem>
#include <string_view>

namespace headroom {

/// Returns the folder that contains `path`, or "." for a name without a folder.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// The temporary name for the new content of `path`: a hidden file in the same folder, with the process
/// number and a mark of the machine, such as ".features.npy.4711-0f3a9c5e.tmp". `kind` is the extension.
/// `path` is no symbolic link.
std::filesystem::path temporary_name(const std::filesystem::path& path, std::string_view kind);

/// Removes the files of any kind that killed processes left next to `path` under their temporary_name(). A
/// file stays while its process runs. It is unknown whether a process of another machine, container or boot
/// is running. The file of such a process is removed if it was not changed for a week. A file that cannot be
/// removed stays.
void remove_stale_temporaries(const std::filesystem::path& path);

}  // namespace headroom
