#pragma once

#include <string>

namespace molgauge::cli {

/// Returns a JSON object with the version of Molgauge, the instruction set in use, and the versions of the
/// libraries and of the file formats. docs/reference/versions.md describes the fields. Loads libmolgauge.so.
/// Throws Error if the library cannot be loaded.
std::string version_json();

}  // namespace molgauge::cli
