#pragma once

#include <string>
#include <vector>

#include "base/core/files/path_identity.h"
#include "base/options/option.h"

/// The files of a request, and a check that no output destroys an input.
namespace molgauge::options {

/// A file or folder that a request names, or a derived file next to it.
struct RequestFile {
  const Option* option = nullptr;
  std::string path;
  PathIdentity identity;
  /// The kind of the folder. Even if the kind is not `none`, an input may be a single file.
  FolderKind folder = FolderKind::none;
  /// Whether the request names the path. If false, it is derived, such as the .json file next to --out.
  bool is_named = true;
};

struct RequestFiles {
  std::vector<RequestFile> reads, writes;
};

/// Returns all files and folders of the request, without empty paths, "-" and options that name no files.
RequestFiles files_of(const View& request);

/// Checks that the outputs of a request overwrite neither its inputs nor files of other programs, and that
/// the folders of output files exist. Call it before anything is written. Throws UsageError, which names the
/// option, the file and a remedy, in these cases:
/// - An output is an input: the device and inode are equal, or the resolved paths are equal.
/// - An output would replace a file in a folder that is read.
/// - An input lies in a folder that is written.
/// - Two outputs are the same file.
/// - An output folder contains files that Molgauge did not write.
/// - An output file lies in a folder that does not exist. Folders of runs and stores are created instead.
/// Registers the outputs as the outputs of the call (base/core/files/call_outputs.h).
void require_no_conflicts(const View& request);

}  // namespace molgauge::options
