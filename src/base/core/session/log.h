#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "molgauge/session.h"

namespace molgauge {

// The log of the open session (molgauge/session.h). A line reads "time - molgauge - LEVEL - text" and goes to
// stderr, above the status line, unless the session handles its log itself. In that case, the session gets
// only the text. Each text becomes one line, because control characters, including line breaks, become
// escapes (base/core/text/printable.h). All functions may be called from any thread.

/// Parses trace, debug, info, warn, error or off. Throws UsageError for any other name.
LogLevel parse_log_level(const std::string& name);

/// Hides lines below this level from now on. The initial level is info. Returns the previous level.
LogLevel set_log_level(LogLevel level);

/// Writes one line.
void log_line(LogLevel level, std::string_view text);

/// Whether log_line() would write a line of this level anywhere.
bool is_logged(LogLevel level);

/// Formats a text with fmt and calls log_line().
template <typename... Arguments>
void log_debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (is_logged(LogLevel::debug)) {
    log_line(LogLevel::debug, fmt::format(format, std::forward<Arguments>(arguments)...));
  }
}
template <typename... Arguments>
void log_info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_line(LogLevel::info, fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <typename... Arguments>
void log_warning(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_line(LogLevel::warning, fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <typename... Arguments>
void log_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_line(LogLevel::error, fmt::format(format, std::forward<Arguments>(arguments)...));
}

class LogLines;

/// Also writes log lines to a file, such as training.log of a run, while the object exists. Information,
/// warnings and errors always go to the file, even if --log-level or --quiet hides them on stderr. Before
/// open(), up to a thousand lines wait in memory, because a refused request must not create a file.
class LogFile {
 public:
  LogFile();
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Appends the waiting lines, and from now on every line, to the file. Throws Error if it cannot be opened.
  void open(const std::string& path);
  /// Adds a line to the file but not to stderr. Use it for information that is shown on stderr in another
  /// form.
  void append(LogLevel level, const std::string& text);

 private:
  const std::shared_ptr<LogLines> lines_;
};

}  // namespace molgauge
