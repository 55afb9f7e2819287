#pragma once

#include <string>

#include <spdlog/spdlog.h>

namespace headroom {

/// Sends everything that is logged through spdlog's default logger to stderr as "time - headroom - LEVEL -
/// text". `level`: trace, debug, info, warn, error, off. Throws UsageError on another name.
void start_logging(const std::string& level);

/// Additionally appends all log lines to a file as long as the object lives (training.log of a run).
class LogFile {
 public:
  /// Throws Error when the file cannot be opened for appending.
  explicit LogFile(const std::string& path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

 private:
  std::shared_ptr<spdlog::sinks::sink> sink_;
};

}  // namespace headroom
