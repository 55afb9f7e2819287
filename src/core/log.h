#pragma once

#include <string>

#include <spdlog/spdlog.h>

namespace headroom {

/// Sends everything that is logged through spdlog's default logger to stderr, above the status line, as "time
/// - headroom - LEVEL - text". The text is one line: control characters, line breaks among them, are written
/// as escapes (core/printable.h). `level`: trace, debug, info, warn, error, off. Throws UsageError on another
/// name.
void start_logging(const std::string& level);

/// Additionally keeps log lines for a file as long as the object lives (training.log of a run): those of the
/// level of stderr, and in any case information, warnings and errors, whatever --log-level and --quiet keep
/// off stderr. Until open() they wait in memory, the first thousand of them: what is refused must leave no
/// file behind.
class LogFile {
 public:
  LogFile();
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Appends what waits, and from now on every line, to the file. Throws Error when it cannot be opened.
  void open(const std::string& path);
  /// A line for the file alone: what stderr is told in another form.
  void append(spdlog::level::level_enum level, const std::string& text);

 private:
  class Sink;
  std::shared_ptr<Sink> sink_;
  spdlog::level::level_enum former_level_;
};

}  // namespace headroom
