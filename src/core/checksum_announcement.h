#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/folder_hold.h"

namespace headroom {

/// The step of replace_file() before a complete new file is renamed. If the folder keeps checksums, the
/// constructor writes the new checksum to disk. The object holds the folder until the file is renamed.
class ChecksumAnnouncement {
 public:
  /// `temporary` will become `path`, which the caller named `name` (another path if that is a symbolic link:
  /// both folders count). Throws Error naming the list of checksums if it is damaged or cannot be written.
  ChecksumAnnouncement(const std::filesystem::path& name, const std::filesystem::path& path,
                       const std::filesystem::path& temporary);

 private:
  std::vector<std::unique_ptr<FolderHold>> holds_;
};

}  // namespace headroom
