#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "options/file_use.h"

namespace headroom::options {

/// Whether Headroom writes files with this name into one of its folders: a run, a matrix, a saved domain, a
/// graph set, shards, a store or weights. `name` has no folder.
bool is_own_file_name(std::string_view name);

/// Whether the file belongs to a store or to installed weights in the folder.
bool is_shared_file(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Whether a command that makes folders of this kind may write into the folder. The folder must be absent,
/// empty or from Headroom. A folder is from Headroom if it has a file that only Headroom writes there. It is
/// also from Headroom if it has a lock of Headroom and no files of other programs.
bool may_be_written(const std::filesystem::path& folder, FolderKind kind);

/// Returns the name of an entry of the folder that Headroom has not written, for messages. Returns an empty
/// text if there is no such entry.
std::string foreign_entry(const std::filesystem::path& folder, FolderKind kind);

/// Throws UsageError if the folder may not be written. `option`: "--out d", for the message.
void require_own_folder(const std::filesystem::path& folder, FolderKind kind, const std::string& option);

/// Removes the files of Headroom from a folder of unfinished work, and the folder if it is then empty. Files
/// of other programs stay, with a warning.
void remove_own_files(const std::filesystem::path& folder, FolderKind kind);

}  // namespace headroom::options
