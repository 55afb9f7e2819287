#pragma once

#include <filesystem>
#include <vector>

namespace molgauge {

/// Returns the regular files in a folder and in its subfolders, sorted by path. Links to files are included,
/// links to folders are not followed. Throws InputError that names the folder that cannot be read.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

}  // namespace molgauge
