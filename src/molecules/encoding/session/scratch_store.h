#pragma once

#include <filesystem>

namespace molgauge::session {

/// A temporary feature store in $TMPDIR or /tmp. It should be on a local disk, because LMDB is unsafe on
/// network file systems. If a process is killed, its store remains. The next process with the same output
/// folder continues with the rows of this store.
class ScratchStore {
 public:
  /// `output`: the output folder of the work. The name of the store depends on it. Throws Error if $TMPDIR
  /// cannot be written, or the folder belongs to another user.
  explicit ScratchStore(const std::filesystem::path& output);

  const std::filesystem::path& folder() const { return folder_; }
  /// Deletes all rows and values. The disk space is reused.
  void empty() const;
  /// Deletes the folder.
  void remove() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace molgauge::session
