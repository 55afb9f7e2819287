#include "experiment/folder_lock.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/error.h"

namespace headroom::experiment {

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::string file = (folder / ".lock").string();
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    throw Error(file + ": cannot be written: " + std::strerror(errno));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor_);
    throw Error(folder.string() + ": another process works on it; wait for it, or name another folder");
  }
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace headroom::experiment
