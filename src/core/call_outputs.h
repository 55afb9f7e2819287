#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/path_identity.h"

namespace headroom {

/// A file that the running call will write.
struct CallOutput {
  std::string option;  ///< "--out result.csv", for messages
  PathIdentity file;
};

/// Sets the files that the call which begins now will write, and forgets the files of the last call. Calls
/// take turns, and there is one list for the process.
void set_call_outputs(std::vector<CallOutput> outputs);

/// For a file that a call reads because another file names it, such as the benchmark of a run: throws
/// UsageError if the call would write it. `reader`: "the benchmark of the run r".
void require_no_output(const std::filesystem::path& file, const std::string& reader);

}  // namespace headroom
