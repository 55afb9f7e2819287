#pragma once

#include <filesystem>

namespace headroom {

/// Keeps other threads and processes from a folder's list of checksums while it is read
/// or replaced. It waits for them. It has no effect where the file system has no locks.
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
