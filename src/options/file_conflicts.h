#pragma once

#include <string>
#include <vector>

#include "core/path_identity.h"
#include "options/option.h"

/// The files of a request, and the check that no output destroys an input.
namespace headroom::options {

/// A file or folder that a request names, or that follows from one.
struct RequestFile {
  const Option* option = nullptr;
  std::string path;
  PathIdentity identity;
  /// The kind of folder: of an input, if it is a folder and not a file.
  FolderKind folder = FolderKind::none;
  bool is_named = true;  ///< false: it follows from the option, such as the .json next to --out
};

struct RequestFiles {
  std::vector<RequestFile> reads, writes;
};

/// All files and folders that the rows of the request say. Empty paths, "-" and names that stand for
/// something else are left out.
RequestFiles files_of(const View& request);

/// Checks, before anything is written, that the outputs of a request destroy nothing. Throws UsageError that
/// names the option, the file and a way out if
/// - an output is an input: the same device and inode, or the same path once links and ".." are resolved,
/// - an output would replace a file in a folder that is read,
/// - an input lies in a folder that is written,
/// - two outputs are one file,
/// - a folder holds files that Headroom did not write.
/// Then the outputs are those of the call (core/call_outputs.h).
void require_no_conflicts(const View& request);

}  // namespace headroom::options
