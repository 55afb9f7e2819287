#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "options/names.h"

/// How a verb uses the file or folder of an option. options/file_conflicts.h uses this information to protect
/// the inputs of every verb.
namespace headroom::options {

/// Kinds of folders that Headroom creates and writes (options/own_folder.h).
enum class FolderKind : std::uint8_t {
  none,          ///< the option names a file
  run,           ///< a run folder of train, baseline or pocket train
  evaluation,    ///< output folder of evaluate, with files that are otherwise in a run folder
  matrix,        ///< the folder of a matrix of experiment
  saved_domain,  ///< a folder of domain --save
  graph_set,     ///< a graph set of pocket build
  unfinished,    ///< finished blocks of an interrupted `headroom domain`, next to its output
  demo,          ///< a folder of demo
  shared,        ///< the store, weights, shards, files of the server: files of other programs may be there
};

struct FileUse {
  enum class Does : std::uint8_t {
    nothing,   ///< the option names no file
    reads,     ///< the verb reads the file or the folder
    writes,    ///< the verb writes or removes the file, or files in the folder
    looks_up,  ///< the verb looks for files in the folder, and checks each file (core/call_outputs.h)
  };

  Does does = Does::nothing;
  /// The kind of the folder. If the option is an input, it may also name a file.
  FolderKind folder = FolderKind::none;
  /// Further files that the verb reads or writes. ".json" replaces the extension of the name. "+.parts" is
  /// appended to the name and denotes a folder (FolderKind::unfinished). Any other text is the name of a file
  /// in the same folder.
  Names with = {};
  /// If the option with this name has a value, the folder has the kind `shared`.
  std::string_view folder_if = {};
  /// The path if the option has no value. Null: there is none.
  std::string (*otherwise)(const void* request) = nullptr;
  /// The input may lie in the output folder, because the verb never changes it there.
  bool may_lie_in_output = false;
};

}  // namespace headroom::options
