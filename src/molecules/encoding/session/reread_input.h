#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/core/files/scratch_folder.h"
#include "base/core/files/shown_path.h"

namespace molgauge::session {

/// Returns the path of an input that can be read several times. This is the input itself if it is a file,
/// otherwise a copy in `folder`.
std::string reread_input(const std::string& input, const std::filesystem::path& folder);

/// An input that can be read several times. If a copy is necessary, it is in a new folder in `parent`. The
/// destructor removes this folder.
class RereadInput {
 public:
  /// Also removes copies in `parent` that killed processes have left.
  RereadInput(const std::string& input, const std::filesystem::path& parent);

  const std::string& path() const { return path_; }

 private:
  std::optional<ScratchFolder> folder_;  ///< folder of the copy. Empty if the input itself is read
  std::string path_;
  std::optional<ShownPath> shown_;  ///< messages about the copy name the input
};

}  // namespace molgauge::session
