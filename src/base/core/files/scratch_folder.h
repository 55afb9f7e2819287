#pragma once

#include <filesystem>
#include <string>

namespace molgauge {

/// A new folder for files of one call. The destructor removes it. The process locks the folder while it
/// exists. An unlocked folder is therefore stale: a killed process has left it.
class ScratchFolder {
 public:
  /// Creates the folder `name`-XXXXXX in `parent`. Throws Error, also if there is no `parent`.
  ScratchFolder(const std::filesystem::path& parent, const std::string& name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Removes the folders `name`-XXXXXX in `parent` that no process has locked. Does nothing if `parent`
  /// cannot be read, and leaves folders that it cannot lock or remove. Call it only for a `parent` that
  /// contains no folders of other programs.
  static void remove_stale(const std::filesystem::path& parent, const std::string& name);

 private:
  std::filesystem::path path_;
  int lock_ = -1;  ///< descriptor of the folder
};

}  // namespace molgauge
