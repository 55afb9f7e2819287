#pragma once

#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"

namespace molgauge::pocket {

/// The files of an input, sorted by name, and their kind.
struct InputFiles {
  PocketInput kind = PocketInput::amber;
  std::vector<std::string> files;  ///< topologies, structures or graphs
};

/// Finds the input files: `input` itself, or the files in the folder `input`. `kind` is the kind of the
/// files. If it is not set, the file names determine the kind. Throws UsageError if a folder contains graphs
/// and other kinds of input, and InputError if it contains no input files.
InputFiles find_input(const std::string& input, std::optional<PocketInput> kind);

}  // namespace molgauge::pocket
