#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "options/file_use.h"

namespace headroom::options {

/// Whether Headroom writes files of this name into one of its folders: a run, a matrix, a saved domain, a
/// graph set, shards, a store, weights. The name alone, without the folder.
bool is_own_file_name(std::string_view name);

/// Whether the file belongs to a store or to installed weights in the folder.
bool is_shared_file(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Whether a command that makes folders of this kind may write into the folder: it is absent or empty, or
/// Headroom made it. A folder is Headroom's if it has a file that only Headroom writes there, or a lock of
/// Headroom and nothing that belongs to others.
bool may_be_written(const std::filesystem::path& folder, FolderKind kind);

/// A file or folder in the folder that Headroom has not written, for messages; empty if there is none.
std::string foreign_entry(const std::filesystem::path& folder, FolderKind kind);

/// Throws UsageError if it may not be written. `option`: "--out d", for the message.
void require_own_folder(const std::filesystem::path& folder, FolderKind kind, const std::string& option);

/// Removes the files of Headroom in a folder of unfinished work, and the folder if it is empty then. Files of
/// others stay, with a warning.
void remove_own_files(const std::filesystem::path& folder, FolderKind kind);

}  // namespace headroom::options
