#pragma once

#include <filesystem>

namespace molgauge {

/// Returns $MOLGAUGE_HOME, by default ~/.cache/molgauge. The folder contains weights/ and store/. This
/// function does not create it.
std::filesystem::path home_folder();

/// Returns the folder for temporary files: $TMPDIR, by default /tmp. Throws Error with the remedy if it is
/// not a folder.
std::filesystem::path temporary_folder();

}  // namespace molgauge
