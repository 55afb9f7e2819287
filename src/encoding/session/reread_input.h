#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/scratch_folder.h"

namespace headroom::session {

/// An input that can be read several times: the input itself if it is a file, otherwise a copy in
/// `folder`.
std::string reread_input(const std::string& input, const std::filesystem::path& folder);

/// An input that can be read several times. If a copy is necessary, it is in a new folder in `parent`. The
/// destructor removes this folder.
class RereadInput {
 public:
  /// Removes the copies of killed processes in `parent`.
  RereadInput(const std::string& input, const std::filesystem::path& parent);

  const std::string& path() const { return path_; }

 private:
  std::optional<ScratchFolder> folder_;  ///< none: the input itself is read
  std::string path_;
};

}  // namespace headroom::session
