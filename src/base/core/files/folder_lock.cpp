#include "base/core/files/folder_lock.h"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

/// Returns the process that holds the lock as a text such as " (process 123)". Returns an empty text if that
/// process has not written its process ID yet.
std::string holder_of(int descriptor) {
  std::array<char, 32> text = {};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  return length > 0 ? " (process " + std::string(text.data(), static_cast<std::size_t>(length)) + ")" : "";
}

/// Writes the process ID for error messages of other processes. The lock does not depend on the process ID,
/// so a full disk does no harm.
void write_holder(int descriptor) {
  const std::string number = std::to_string(getpid());
  if (ftruncate(descriptor, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(descriptor, number.data(), number.size(), 0);
  }
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::string file = (folder / ".lock").string();
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    throw system_error(file, "write", errno);
  }
  int locked = 0;
  do {
    locked = flock(descriptor_, LOCK_EX | LOCK_NB);
  } while (locked != 0 && errno == EINTR);
  if (locked != 0) {
    const int reason = errno;
    const std::string holder = holder_of(descriptor_);
    close(descriptor_);
    if (reason != EWOULDBLOCK) {
      throw system_error(file, "lock", reason);
    }
    throw Error(folder.string() + ": another process" + holder +
                " uses it. Wait until it ends, or name another folder");
  }
  write_holder(descriptor_);
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace molgauge
