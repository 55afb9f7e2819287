#pragma once

#include <filesystem>

namespace headroom {

/// Holds a folder for one process. The kernel releases it however the process ends.
class FolderLock {
 public:
  /// The folder must exist. Throws Error, naming the process that holds the folder, when another does, or
  /// when it cannot be written.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace headroom
