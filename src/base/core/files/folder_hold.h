#pragma once

#include <filesystem>

namespace molgauge {

/// Locks the list of checksums of a folder while the list is read or replaced. Other threads and processes
/// wait. Has no effect if the file system does not support locks.
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

}  // namespace molgauge
