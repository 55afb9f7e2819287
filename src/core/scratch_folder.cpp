#include "core/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "core/error.h"

namespace headroom {

ScratchFolder::ScratchFolder(const std::filesystem::path& parent, const std::string& name) {
  std::string pattern = (parent / (name + "-XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw system_error(pattern, "create the folder", errno);
  }
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace headroom
