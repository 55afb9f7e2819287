#pragma once

#include <filesystem>

namespace molgauge {

/// Locks a folder for one process. The kernel releases the lock when the process ends, even if it was killed.
class FolderLock {
 public:
  /// The folder must exist. Throws Error if it is not writable. If another process holds the folder, the
  /// Error names that process.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace molgauge
