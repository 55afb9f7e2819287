#pragma once

#include <string>

namespace headroom::cli {

/// The version, the instruction set in use, the versions of the libraries and the versions of the file
/// formats, as a JSON object. docs/reference/versions.md describes the fields. Opens libheadroom.so. Throws
/// Error if that fails.
std::string version_json();

}  // namespace headroom::cli
