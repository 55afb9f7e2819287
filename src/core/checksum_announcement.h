#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/folder_hold.h"

namespace headroom {

/// The step of replace_file() between a complete new file and its renaming: where the folder keeps checksums,
/// the new checksum is on disk once this is constructed. The folder is held until the file has been renamed.
class ChecksumAnnouncement {
 public:
  /// `temporary` will become `path`, which the caller named `name` (another path where that is a symbolic
  /// link: both folders count). Throws Error naming the list of checksums where it is damaged or cannot be
  /// written.
  ChecksumAnnouncement(const std::filesystem::path& name, const std::filesystem::path& path,
                       const std::filesystem::path& temporary);

 private:
  std::vector<std::unique_ptr<FolderHold>> holds_;
};

}  // namespace headroom
