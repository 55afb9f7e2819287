#pragma once

#include <filesystem>

namespace headroom {

/// $HEADROOM_HOME, by default ~/.cache/headroom: holds weights/ and store/. Not created here.
std::filesystem::path home_folder();

}  // namespace headroom
