#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headroom/choices.h"

namespace headroom::pocket {

/// The files of an input, in the order of their names, and their kind.
struct InputFiles {
  PocketInput kind = PocketInput::amber;
  std::vector<std::string> files;  ///< topologies, structures or graphs
};

/// Finds them: `input` itself, or the files of the folder `input`. `kind`: none, if the names of the files
/// tell it. Throws UsageError if a folder holds several kinds, and InputError if it holds none.
InputFiles find_input(const std::string& input, std::optional<PocketInput> kind);

}  // namespace headroom::pocket
