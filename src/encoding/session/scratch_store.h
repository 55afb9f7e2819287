#pragma once

#include <filesystem>

namespace headroom::session {

/// The feature store of one piece of work that is written elsewhere: a folder in $TMPDIR, else /tmp, which is
/// a disk of this machine (LMDB is unsafe on network file systems). A killed process leaves it, and the next
/// one for the same output goes on with its rows.
class ScratchStore {
 public:
  /// `output`: the folder that the work writes, which names the store. Throws Error where $TMPDIR cannot be
  /// written, or the folder there is another user's.
  explicit ScratchStore(const std::filesystem::path& output);

  const std::filesystem::path& folder() const { return folder_; }
  /// Deletes all rows and values; their place is used again.
  void empty() const;
  /// Deletes the folder.
  void remove() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace headroom::session
