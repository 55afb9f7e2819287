#include "base/core/files/input_descriptor.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/read_problem.h"
#include "base/core/session/cancellation.h"

namespace molgauge {
namespace {

thread_local const std::atomic<bool>* ends_waiting = nullptr;

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& file) : number_(open_for_reading(file)) {}
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

int open_for_reading(const std::filesystem::path& path) {
  // Opens without blocking. A blocking open of a pipe waits for its writer, even after Ctrl-C.
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
    if (ends_waiting != nullptr && *ends_waiting) {
      throw Interrupted();
    }
  }
}

EndsWaiting::EndsWaiting(const std::atomic<bool>& flag) : former_(std::exchange(ends_waiting, &flag)) {}

EndsWaiting::~EndsWaiting() { ends_waiting = former_; }

std::string read_input_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw InputError(path.string() + ": is a folder. Name a file");
  }
  const Descriptor file(path);
  if (file.number() < 0) {
    throw read_problem(path.string(), errno);
  }
  std::string content;
  std::array<char, 1 << 16> piece;
  for (ssize_t count = 0; (count = read(file.number(), piece.data(), piece.size())) != 0;) {
    if (count > 0) {
      content.append(piece.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw read_problem(path.string(), errno);
    }
  }
  return content;
}

}  // namespace molgauge
