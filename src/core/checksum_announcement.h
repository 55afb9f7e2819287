#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/folder_hold.h"

namespace headroom {

/// The step of replace_file() before a complete new file is renamed. If the folder keeps checksums, the
/// constructor writes the new checksum to disk. The object locks the folder until the file is renamed.
class ChecksumAnnouncement {
 public:
  /// `temporary` will be renamed to `path`. `name` is the path that the caller used. The two differ if `name`
  /// is a symbolic link, and then the checksums of both folders are updated. Throws Error naming the list of
  /// checksums if it is damaged or cannot be written.
  ChecksumAnnouncement(const std::filesystem::path& name, const std::filesystem::path& path,
                       const std::filesystem::path& temporary);

 private:
  std::vector<std::unique_ptr<FolderHold>> holds_;
};

}  // namespace headroom
