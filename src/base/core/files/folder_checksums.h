#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace molgauge {

// A folder of results keeps the checksums of its files in checksums.xxh128 (docs/reference/formats.md). Once
// this list exists, replace_file() records the checksum of each file that it writes to the folder. All
// writers of the program use replace_file(). A file and its checksum always agree, even after kills and power
// cuts. The new checksum is on disk before the file is renamed, and the old checksum remains valid until
// then. Code that reads such a file must call require_intact() first.
//
// Files that are not listed, and folders without checksums.xxh128, were written by another program. They are
// not checked.
//
// Thread safety: any number of threads and processes may call these functions at once, even for the same
// folder.

/// From now on, keeps the checksums of files that are written into the folder. Has no effect if the folder
/// already keeps checksums. Throws Error naming the path.
void keep_checksums(const std::filesystem::path& folder);

/// Removes the checksums of the folder. Call it before you remove the files of the folder.
void forget_checksums(const std::filesystem::path& folder);

/// Logs that the files of the folder are used unchecked, if the folder has no checksums.
void note_missing_checksums(const std::filesystem::path& folder);

/// Throws InputError if the content of the file is not the content that Molgauge wrote last. The message
/// names the file and ends with `remedy`, for example "Train again with --restart". Ignores a missing file,
/// because the code that reads the file reports it.
void require_intact(const std::filesystem::path& file, const std::string& remedy);

/// Lists the files of the folder whose content has changed since Molgauge wrote them. Includes
/// checksums.xxh128 if it is damaged. Does not check subfolders.
std::vector<std::filesystem::path> damaged_files(const std::filesystem::path& folder);

}  // namespace molgauge
