#pragma once

#include <string>
#include <vector>

namespace headroom::pocket {

enum class InputKind { amber, structures, graphs };

/// The files of an input, in the order of their names, and their kind.
struct InputFiles {
  InputKind kind = InputKind::amber;
  std::vector<std::string> files;  ///< topologies, structures or graphs
};

/// Finds them: `input` itself, or the files of the folder `input`. `kind`: amber, structures, graphs, or
/// empty: what the names of the files say. Throws UsageError where a folder holds several kinds, InputError
/// where there are none.
InputFiles find_input(const std::string& input, const std::string& kind);

}  // namespace headroom::pocket
