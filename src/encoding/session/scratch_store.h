#pragma once

#include <filesystem>

namespace headroom::session {

/// A temporary feature store for work with another output folder. It is a folder in $TMPDIR, else /tmp, on a
/// local disk, because LMDB is unsafe on network file systems. If a process is killed, the folder stays, and
/// the next process for the same output continues with its rows.
class ScratchStore {
 public:
  /// `output`: the folder that the work writes, which names the store. Throws Error if $TMPDIR cannot be
  /// written, or the folder belongs to another user.
  explicit ScratchStore(const std::filesystem::path& output);

  const std::filesystem::path& folder() const { return folder_; }
  /// Deletes all rows and values. The disk space is reused.
  void empty() const;
  /// Deletes the folder.
  void remove() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace headroom::session
