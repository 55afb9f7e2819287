#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace headroom {

/// Returns the file that a write to `path` replaces: the target if `path` is a symbolic link. Throws Error if
/// it is a device, a pipe or a folder, which a file must not replace.
std::filesystem::path file_to_replace(const std::filesystem::path& path);

/// Replaces file_to_replace(path) atomically: at any time, even after a power cut, it holds the old content
/// or the new content. `write` fills a temporary file in the same folder. The file is synced and renamed to
/// `path`, and then the folder is synced. On failure, removes the temporary file and throws Error naming the
/// path.
void replace_file(const std::filesystem::path& path,
                  const std::function<void(const std::filesystem::path& temporary)>& write);

/// Replaces the file atomically with this content.
void replace_file(const std::filesystem::path& path, std::string_view content);

/// Creates the folder and its parents durably: they survive a power cut. Throws Error with the reason and the
/// fix.
void make_folder(const std::filesystem::path& path);

/// Returns the whole content of a file. Throws InputError if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace headroom
