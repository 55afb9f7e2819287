#pragma once

#include <string>
#include <vector>

#include "core/path_identity.h"
#include "options/option.h"

/// The files of a request, and a check that no output destroys an input.
namespace headroom::options {

/// A file or folder that a request names, or a file next to it that Headroom also uses.
struct RequestFile {
  const Option* option = nullptr;
  std::string path;
  PathIdentity identity;
  /// The kind of the folder. An input of this kind may also be a single file.
  FolderKind folder = FolderKind::none;
  bool is_named = true;  ///< false: derived, such as the .json file next to --out
};

struct RequestFiles {
  std::vector<RequestFile> reads, writes;
};

/// All files and folders in the request. Empty paths, "-" and names that are not files are left out.
RequestFiles files_of(const View& request);

/// Checks that the outputs of a request destroy nothing and that their folders exist. Call it before anything
/// is written. Throws UsageError with the option, the file and a remedy if
/// - an output is an input: the same device and inode, or the same path after links and ".." are resolved,
/// - an output would replace a file in a folder that is read,
/// - an input lies in a folder that is written,
/// - two outputs are the same file,
/// - a folder contains files that Headroom did not write,
/// - an output file lies in a folder that does not exist. Folders of runs and stores are created instead.
/// Registers the outputs as the outputs of the call (core/call_outputs.h).
void require_no_conflicts(const View& request);

}  // namespace headroom::options
