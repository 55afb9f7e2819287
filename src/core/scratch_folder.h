#pragma once

#include <filesystem>
#include <string>

namespace headroom {

/// A new folder for files of one call. It is removed with the object.
class ScratchFolder {
 public:
  /// Creates the folder `name`-XXXXXX in `parent`. Throws Error, also if there is no `parent`.
  ScratchFolder(const std::filesystem::path& parent, const std::string& name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace headroom
