#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/options/file_use.h"

namespace molgauge::options {

/// Whether `name` is a file name that Molgauge uses in its folders: runs, matrices, saved domains, graph
/// sets, shards, stores and weights. `name` is a file name without a folder.
bool is_own_file_name(std::string_view name);

/// Whether a saved domain may contain a file with this name: one of domain::kSavedDomainFiles, or a temporary
/// file.
bool is_file_of_saved_domain(const std::string& name);

/// Returns the kind of folder that `file` belongs to, if Molgauge created the folder of the file and writes a
/// file with this name there. Otherwise, returns FolderKind::none. A file of a run, a matrix or a graph set
/// must exist.
FolderKind owner_of(const std::filesystem::path& file);

/// Returns the name of a kind in messages, such as "a saved domain".
std::string_view name_of(FolderKind kind);

/// Whether the file is a part of a store, or of installed weights, in `folder`.
bool is_shared_file(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Whether a command may write into a folder of this kind. The folder must be absent, empty or created by
/// Molgauge. Molgauge created it if it contains a file that only Molgauge writes, or if it contains a lock of
/// Molgauge and no files of other programs.
bool may_be_written(const std::filesystem::path& folder, FolderKind kind);

/// Returns the name of an entry that Molgauge did not write, for messages, or an empty text if there is no
/// such entry.
std::string foreign_entry(const std::filesystem::path& folder, FolderKind kind);

/// Throws UsageError if Molgauge may not write into the folder, and InputError if a link leads out of it.
/// `option`: the option and its value for the message, such as "--out d".
void require_own_folder(const std::filesystem::path& folder, FolderKind kind, const std::string& option);

/// Removes Molgauge's files from a folder of unfinished work. Then removes the folder if it is empty. If it
/// contains files of other programs, they are kept and a warning is logged.
void remove_own_files(const std::filesystem::path& folder, FolderKind kind);

}  // namespace molgauge::options
