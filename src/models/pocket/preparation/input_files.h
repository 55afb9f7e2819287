#pragma once

#include <optional>
#include <string>
#include <vector>

#include "headroom/choices.h"

namespace headroom::pocket {

/// The files of an input, sorted by name, and their kind.
struct InputFiles {
  PocketInput kind = PocketInput::amber;
  std::vector<std::string> files;  ///< topologies, structures or graphs
};

/// Finds the files: `input` itself, or the files in the folder `input`. `kind`: the kind of the files.
/// Without a value, the names determine it. Throws UsageError if a folder contains several kinds, and
/// InputError if it contains none.
InputFiles find_input(const std::string& input, std::optional<PocketInput> kind);

}  // namespace headroom::pocket
