#pragma once

#include <filesystem>
#include <string>

namespace molgauge::runtime {

/// These functions return `named`, or the default folder in $MOLGAUGE_HOME if `named` is empty.
std::filesystem::path store_folder(const std::string& named);
std::filesystem::path weights_folder(const std::string& named);

}  // namespace molgauge::runtime
