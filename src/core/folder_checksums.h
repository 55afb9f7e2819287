#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

// A folder of results keeps the checksums of its files in one of them, checksums.xxh128
// (docs/reference/formats.md). Once it exists, replace_file(), and so every writer of the program, records
// the files it writes into the folder. File and record agree at any instant, even after kills and power cuts:
// the new checksum is on disk before the file is renamed, and the old one counts until then. Readers request
// the check.
//
// Files that are not listed, and folders without checksums.xxh128, were written by an earlier version or by
// another program; they are not checked.
//
// Thread safety: any number of threads and processes, in the same folder too.

/// Begins to keep the checksums of files that are written into the folder. Without effect where they are
/// kept already. Throws Error naming the path.
void keep_checksums(const std::filesystem::path& folder);

/// Removes the checksums of the folder, whose files are about to be removed.
void forget_checksums(const std::filesystem::path& folder);

bool has_checksums(const std::filesystem::path& folder);

/// Throws InputError, which names the file and ends with `way_out` ("train again with --restart"), unless the
/// file has the content that was last written to it. A missing file is left to its reader.
void require_intact(const std::filesystem::path& file, const std::string& way_out);

/// The files of the folder that do not have the content last written to them; checksums.xxh128 itself where
/// it is damaged. Folders within it are not checked.
std::vector<std::filesystem::path> damaged_files(const std::filesystem::path& folder);

}  // namespace headroom
