#include "core/standard_streams.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <new>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"
#include "core/printable.h"
#include "core/status_line.h"

namespace headroom {
namespace {

std::atomic<bool> information_is_silenced{false};

}  // namespace

void open_standard_streams() {
  // In ascending order: the lowest free number is given out first.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) {
      open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
    }
  }
}

void write_to_stderr(std::string_view text) noexcept {
  try {
    write_above_status_line(printable_message(text));
  } catch (const std::bad_alloc&) {
    write_above_status_line(
        "headroom: out of memory; allow more with --memory-budget, or with ulimit -v and -d\n");
  }
}

void write_to_stdout(std::string_view text) {
  const std::string shown = printable_lines(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) {
    throw system_error("standard output", "write", errno);
  }
}

void silence_information(bool silent) { information_is_silenced = silent; }

bool is_information_silenced() { return information_is_silenced; }

}  // namespace headroom
