#include "base/core/session/status_line.h"

#include <cstdio>
#include <mutex>

#include <sys/ioctl.h>
#include <unistd.h>

namespace molgauge {
namespace {

constexpr std::string_view kClear = "\r\x1b[K";

/// Columns of the terminal. Unlimited if the terminal does not report them.
std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : std::string::npos;
}

class Terminal {
 public:
  void draw(std::string line) {
    const std::size_t width = columns();
    if (line.size() >= width) {
      line.resize(width - 1);
    }
    line_ = std::move(line);
    if (at_line_start_) {
      put(kClear);
      put(line_);
      flush();
    }
  }

  void end() {
    if (!line_.empty()) {
      put("\n");
      flush();
      line_.clear();
    }
  }

  void write(std::string_view text) {
    if (text.empty()) {
      return;
    }
    if (!line_.empty() && at_line_start_) {
      put(kClear);
    }
    put(text);
    at_line_start_ = text.back() == '\n';
    if (!line_.empty() && at_line_start_) {
      put(line_);
    }
    flush();
  }

 private:
  static void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }
  static void flush() { std::fflush(stderr); }

  std::string line_;           ///< empty if there is no status line
  bool at_line_start_ = true;  ///< whether the last text other than the status line ended with a line feed
};

std::mutex mutex;
// The terminal of the process. It is never destroyed, because other objects may still write when the process
// ends.
Terminal& terminal() {
  static auto* const the_terminal = new Terminal;
  return *the_terminal;
}

}  // namespace

void draw_status_line(std::string line) noexcept {
  const std::lock_guard lock(mutex);
  terminal().draw(std::move(line));
}

void end_status_line() noexcept {
  const std::lock_guard lock(mutex);
  terminal().end();
}

void write_above_status_line(std::string_view text) noexcept {
  const std::lock_guard lock(mutex);
  terminal().write(text);
}

}  // namespace molgauge
