#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace molgauge {

/// Returns the file that a write to `path` replaces: the target if `path` is a symbolic link. Throws Error if
/// this file is a device, a pipe or a folder, which a file must not replace.
std::filesystem::path file_to_replace(const std::filesystem::path& path);

/// Atomically replaces the content of file_to_replace(path). At any time, even after a power cut, the file
/// holds either the old or the new content. `write` fills a temporary file in the same folder. The temporary
/// file is synced and renamed, and then the folder is synced. On failure, removes the temporary file and
/// throws Error naming the path.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& write);

/// Atomically replaces the content of file_to_replace(path) with `content`.
void replace_file(const std::filesystem::path& path, std::string_view content);

/// Creates the folder and its parents, and syncs them so that they survive a power cut. Throws Error with the
/// reason and the fix.
void make_folder(const std::filesystem::path& path);

/// Returns the whole content of a file. Throws InputError if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace molgauge
