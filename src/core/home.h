#pragma once

#include <filesystem>

namespace headroom {

/// Returns $HEADROOM_HOME, by default ~/.cache/headroom. The folder contains weights/ and store/. This
/// function does not create it.
std::filesystem::path home_folder();

}  // namespace headroom
