#include "core/standard_streams.h"

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace headroom {

void open_standard_streams() {
  // In ascending order: the lowest free number is given out first.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) {
      open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    }
  }
}

void write_to_stderr(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace headroom
