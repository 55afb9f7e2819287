#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "options/names.h"

/// How a verb uses the file or folder that an option names. One check over all rows protects the inputs of
/// every verb (options/file_conflicts.h).
namespace headroom::options {

/// The folders that Headroom makes and writes again (options/own_folder.h).
enum class FolderKind : std::uint8_t {
  none,          ///< the option names a file
  run,           ///< of train, baseline and pocket train
  evaluation,    ///< of evaluate: files that stand in a run folder otherwise
  matrix,        ///< of experiment
  saved_domain,  ///< of domain --save
  graph_set,     ///< of pocket build
  unfinished,    ///< finished blocks of a domain call, next to its output
  demo,          ///< of demo
  shared,        ///< the store, weights, all shards, files of the server: other files may lie there
};

struct FileUse {
  enum class Does : std::uint8_t {
    nothing,   ///< the option names no file
    reads,     ///< the verb reads the file or the folder
    writes,    ///< the verb writes or removes the file, or files in the folder
    looks_up,  ///< the verb looks for files in the folder, and checks each one itself (core/call_outputs.h)
  };

  Does does = Does::nothing;
  /// The kind of the folder. An option that reads may name a file, too.
  FolderKind folder = FolderKind::none;
  /// Further files that the verb reads or writes with it. ".json" is the same name with another extension.
  /// "+.parts" is the name with an addition, and is a folder (FolderKind::unfinished). Any other text is the
  /// name of a file in the same folder.
  Names with = {};
  /// The option names a folder of kind `shared` if the option of this name has a value.
  std::string_view folder_if = {};
  /// The path if the option has no value; null: none.
  std::string (*otherwise)(const void* request) = nullptr;
  /// The input may lie in a folder that the verb writes: the verb writes it there unchanged, or not at all.
  bool may_lie_in_output = false;
};

}  // namespace headroom::options
