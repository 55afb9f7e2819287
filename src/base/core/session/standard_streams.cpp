#include "base/core/session/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <new>

#include <fcntl.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/session_state.h"
#include "base/core/session/status_line.h"
#include "base/core/text/printable.h"

namespace molgauge {
void open_standard_streams() {
  // In ascending order, because the system assigns the lowest free descriptor first.
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
        "molgauge: out of memory. Allow more with --memory-budget, or with ulimit -v and -d\n");
  }
}

void write_to_stdout(std::string_view text) {
  const std::string shown = printable_lines(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) {
    throw system_error("standard output", "write", errno);
  }
}

void silence_information(bool silent) { session_state().is_quiet = silent; }

bool is_information_silenced() { return session_state().is_quiet; }

void tell_text(std::string_view text) {
  if (is_information_silenced()) {
    return;
  }
  const SessionState& session = session_state();
  if (session.log) {
    if (LogLevel::info >= session.log_level) {
      session.log(LogLevel::info, printable_lines(text.substr(0, text.find_last_not_of('\n') + 1)));
    }
  } else {
    write_to_stderr(text);
  }
}

}  // namespace molgauge
