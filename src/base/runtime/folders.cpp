#include "base/runtime/folders.h"

#include "base/core/files/home.h"

namespace molgauge::runtime {

std::filesystem::path store_folder(const std::string& named) {
  return named.empty() ? home_folder() / "store" : std::filesystem::path(named);
}

std::filesystem::path weights_folder(const std::string& named) {
  return named.empty() ? home_folder() / "weights" : std::filesystem::path(named);
}

}  // namespace molgauge::runtime
