#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace molgauge {

/// Replaces the content of a folder that Molgauge owns. At any time, even after a kill, a full disk or a
/// power cut, the folder holds the complete old content or the complete new content.
struct ReplacedFolder {
  /// Writes the new content into an empty folder.
  std::function<void(const std::filesystem::path& folder)> write;
  /// Whether Molgauge may remove an entry of the old folder, from the name of the entry.
  std::function<bool(const std::string& name)> is_own;
  /// The file without which the folder has no content. Used if the folder cannot be exchanged.
  std::string last;
};

/// Writes the new content next to `folder` and exchanges the two folders. Creates `folder` if it does not
/// exist. If `folder` is a mount point, has a parent that is not writable, or contains entries that Molgauge
/// does not own, the new files are written in a subfolder and then renamed one by one, `last` as the last
/// one. A kill between two renames then leaves a folder whose checksums show the damage.
///
/// Throws Error that names the folder, also if another process replaces it. The old content then remains.
void replace_folder(const std::filesystem::path& folder, const ReplacedFolder& content);

}  // namespace molgauge
