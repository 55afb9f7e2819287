#include "base/core/files/folder_hold.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace molgauge {

// Locks the folder itself. Such a lock needs no file in the folder and no write permission.
FolderHold::FolderHold(const std::filesystem::path& folder, Kind kind)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0) {
    while (flock(descriptor_, kind == Kind::shared ? LOCK_SH : LOCK_EX) != 0 && errno == EINTR) {
    }
  }
}

FolderHold::~FolderHold() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

}  // namespace molgauge
