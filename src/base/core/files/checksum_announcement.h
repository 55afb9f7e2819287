#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/core/files/folder_hold.h"

namespace molgauge {

/// replace_file() creates this object after it has written the new file and before it renames the file. If
/// the folder keeps checksums, the constructor writes the new checksum to disk. The folder is locked while
/// the object exists.
class ChecksumAnnouncement {
 public:
  /// `temporary` will be renamed to `path`. `name` is the path that the caller used. `path` and `name` differ
  /// if `name` is a symbolic link. In this case, the checksums of both folders are updated. Throws Error,
  /// which names the checksum list, if the list is damaged or cannot be written.
  ChecksumAnnouncement(const std::filesystem::path& name, const std::filesystem::path& path,
                       const std::filesystem::path& temporary);

 private:
  std::vector<std::unique_ptr<FolderHold>> holds_;
};

}  // namespace molgauge
