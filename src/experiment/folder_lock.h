#pragma once

#include <filesystem>

namespace headroom::experiment {

/// Holds a folder for one process. The kernel lets go of it however the process ends.
class FolderLock {
 public:
  /// Throws Error when another process holds the folder, or it cannot be written.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace headroom::experiment
