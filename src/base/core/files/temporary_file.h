#pragma once

#include <filesystem>
#include <string_view>

namespace molgauge {

/// Returns the folder that contains `path`, or "." for a name without a folder.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// The temporary name for the new content of `path`: a hidden file in the same folder, with the process
/// number and a mark of the machine, such as ".features.npy.4711-0f3a9c5e.tmp". `kind` is the extension.
/// `path` must not be a symbolic link.
std::filesystem::path temporary_name(const std::filesystem::path& path, std::string_view kind);

/// Removes temporary files of `path` (see temporary_name()) that killed processes have left. Keeps the files
/// of running processes. If a file comes from another machine, container or boot, it is unknown whether its
/// process is running. Such a file is removed if it has not changed for a week. Ignores files that cannot be
/// removed.
void remove_stale_temporaries(const std::filesystem::path& path);

/// Removes the temporary folders of `path` (temporary_name() with the kind "new") that killed processes have
/// left.
void remove_stale_folders(const std::filesystem::path& path);

}  // namespace molgauge
