#pragma once

#include <filesystem>
#include <string_view>

namespace headroom {

/// The folder that holds `path`; "." for a bare name.
std::filesystem::path folder_of(const std::filesystem::path& path);

/// The name under which this process writes the future content of `path`: hidden, in the same folder, with
/// the number of the process and a mark of the machine, such as ".features.npy.4711-0f3a9c5e.tmp". `kind` is
/// the extension. `path` is no symbolic link.
std::filesystem::path temporary_name(const std::filesystem::path& path, std::string_view kind);

/// Removes the files that killed processes left beside `path` under their temporary_name(), of any kind. A
/// file stays while its process lives. That cannot be known of processes of other machines, containers and
/// boots: their files are removed once nothing was written to them for a week. A file that cannot be removed
/// stays.
void remove_stale_temporaries(const std::filesystem::path& path);

}  // namespace headroom
