#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/options/names.h"

/// How a verb uses the file or folder of an option. base/options/file_conflicts.h uses this information to
/// protect the inputs of every verb.
namespace molgauge::options {

/// Kinds of folders that Molgauge creates and writes (base/options/own_folder.h).
enum class FolderKind : std::uint8_t {
  none,          ///< the option names a file
  run,           ///< a run folder of train, baseline or pocket train
  evaluation,    ///< output folder of evaluate. Its files also occur in run folders
  matrix,        ///< folder of molgauge experiment
  saved_domain,  ///< folder of domain --save
  graph_set,     ///< folder of pocket build
  unfinished,    ///< blocks that an interrupted `molgauge domain` left next to its output
  demo,          ///< folder of molgauge demo
  /// The store, weights, shards and the work folder of the server. They may contain files of other programs.
  shared,
};

struct FileUse {
  enum class Does : std::uint8_t {
    nothing,  ///< the option does not name a file
    reads,    ///< the verb reads the file or the folder
    writes,   ///< the verb writes or removes the file, or files in the folder
    /// The verb looks up files in the folder. Each file that it finds is compared with the outputs
    /// (base/core/files/call_outputs.h).
    looks_up,
  };

  Does does = Does::nothing;
  /// The kind of the folder. Even if the kind is not `none`, an input may be a single file.
  FolderKind folder = FolderKind::none;
  /// Patterns of further files that the verb reads or writes. ".json" replaces the extension of the path.
  /// "+.parts" is appended to the path and names a folder (FolderKind::unfinished). Any other text is the
  /// name of a file in the same folder.
  Names with = {};
  /// The name of another option. If that option has a value, the folder has the kind `shared`.
  std::string_view folder_if = {};
  /// Returns the default path of an option without a value. Null if there is no default path.
  std::string (*otherwise)(const void* request) = nullptr;
  /// Whether the input may lie in the output folder, because the verb does not change it there.
  bool may_lie_in_output = false;
};

}  // namespace molgauge::options
