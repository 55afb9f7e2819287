#pragma once

#include <filesystem>

namespace headroom {

/// $HEADROOM_HOME, by default ~/.cache/headroom. Holds weights/ and store/. This function does not create it.
std::filesystem::path home_folder();

}  // namespace headroom
