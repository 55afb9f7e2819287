#include "core/input_descriptor.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cancellation.h"

namespace headroom {

int open_for_reading(const std::filesystem::path& path) {
  // Opened without waiting: the kernel would wait for a pipe's writer, even after Ctrl-C.
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    return -1;
  }
  struct stat status {};
  try {
    if (fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode)) {
      wait_until_readable(descriptor);
    }
  } catch (...) {
    close(descriptor);
    throw;
  }
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) < 0) {
    const int error_number = errno;
    close(descriptor);
    errno = error_number;
    return -1;
  }
  return descriptor;
}

void wait_until_readable(int descriptor) {
  constexpr int kMilliseconds = 200;
  pollfd waiting{descriptor, POLLIN, 0};
  for (;;) {
    const int ready = poll(&waiting, 1, kMilliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) {
      return;
    }
    throw_if_cancelled();
  }
}

}  // namespace headroom
