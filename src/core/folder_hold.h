#pragma once

#include <filesystem>

namespace headroom {

/// Locks the list of checksums of a folder against other threads and processes while it is read or replaced.
/// Waits for the lock. Has no effect if the file system does not support locks.
class FolderHold {
 public:
  enum class Kind { shared, exclusive };

  FolderHold(const std::filesystem::path& folder, Kind kind);
  ~FolderHold();
  FolderHold(const FolderHold&) = delete;
  FolderHold& operator=(const FolderHold&) = delete;

 private:
  int descriptor_;
};

}  // namespace headroom
