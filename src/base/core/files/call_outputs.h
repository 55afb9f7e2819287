#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/core/files/path_identity.h"

namespace molgauge {

/// A file that the running call will write.
struct CallOutput {
  std::string option;  ///< the option as text, such as "--out result.csv", for messages
  PathIdentity file;
};

/// Sets the files that the next call will write, and forgets the files of the last call. The process needs
/// only one list, because only one call runs at a time.
void set_call_outputs(std::vector<CallOutput> outputs);

/// Throws UsageError if the call would overwrite `file`, which is one of its inputs. Call it for inputs that
/// the options of the call do not name, such as the benchmark of a run. `reader`: description of the input
/// for the message, for example "the benchmark of the run r".
void require_no_output(const std::filesystem::path& file, const std::string& reader);

}  // namespace molgauge
