#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace headroom {

/// The file that writing to `path` replaces: what it points to where it is a symbolic link. Throws Error for
/// what is there and no regular file: a device, a pipe or a folder must not give way to a file.
std::filesystem::path file_to_replace(const std::filesystem::path& path);

/// Replaces file_to_replace(path) so that at every instant, power cuts included, it holds the old content or
/// the new one: `write` fills a temporary file in the same folder, which is synced and renamed over `path`;
/// the folder is synced too. Throws Error naming the path; the temporary file is removed then.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& write);

/// The same for content that is at hand.
void replace_file(const std::filesystem::path& path, std::string_view content);

/// Creates the folder and its parents, each of which outlasts a power cut; throws Error with the reason and
/// the fix.
void make_folder(const std::filesystem::path& path);

/// Whole content of a file; throws InputError when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace headroom
