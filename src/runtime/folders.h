#pragma once

#include <filesystem>
#include <string>

namespace headroom::session {

/// The folder in the request, or the default in $HEADROOM_HOME.
std::filesystem::path store_folder(const std::string& named);
std::filesystem::path weights_folder(const std::string& named);

}  // namespace headroom::session
