#pragma once

#include <filesystem>

namespace headroom {

/// Keeps other threads and processes from the list of checksums of a folder for as long as it takes to read
/// or replace it. It waits for them. Where the file system knows no locks it has no effect.
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
