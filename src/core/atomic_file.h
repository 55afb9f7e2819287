#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace headroom {

/// The file that a write to `path` replaces: the target where `path` is a symbolic link. Throws Error if it
/// is not a regular file: a device, a pipe or a folder is never replaced by a file.
std::filesystem::path file_to_replace(const std::filesystem::path& path);

/// Replaces file_to_replace(path) so that at every instant, power cuts included, it holds the old content or
/// the new one: `write` fills a temporary file in the same folder, which is synced and renamed over `path`;
/// the folder is synced too. Throws Error naming the path; the temporary file is removed then.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& write);

/// As above, for content in memory.
void replace_file(const std::filesystem::path& path, std::string_view content);

/// Creates the folder and its parents so that they survive a power cut; throws Error with the reason and
/// the fix.
void make_folder(const std::filesystem::path& path);

/// Whole content of a file; throws InputError when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace headroom
