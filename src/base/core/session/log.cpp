#include "base/core/session/log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <vector>

#include <spdlog/pattern_formatter.h>

#include "base/core/error.h"
#include "base/core/files/regular_file.h"
#include "base/core/session/session_state.h"
#include "base/core/session/status_line.h"
#include "base/core/text/printable.h"

namespace molgauge {

/// The log lines of one LogFile. They wait in memory until the file is open.
class LogLines {
 public:
  void open(const std::string& path) {
    const std::lock_guard lock(mutex_);
    errno = 0;
    require_regular_file(path);
    file_.open(path, std::ios::app | std::ios::binary);
    if (!file_) {
      throw system_error(path, "write the log", errno);
    }
    for (const std::string& line : waiting_) {
      file_ << line;
    }
    waiting_.clear();
    file_.flush();
  }

  void add(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (file_.is_open()) {
      // A failed write, for example on a full disk, does not stop the work.
      file_.write(line.data(), static_cast<std::streamsize>(line.size())).flush();
      file_.clear();
    } else if (waiting_.size() < kMaxWaiting) {
      waiting_.push_back(line);
    }
  }

 private:
  static constexpr std::size_t kMaxWaiting = 1000;

  std::mutex mutex_;
  std::ofstream file_;
  std::vector<std::string> waiting_;
};

namespace {

constexpr const char* kPattern = "%Y-%m-%d %H:%M:%S,%e - molgauge - %l - %v";

struct LevelName {
  const char* name;
  LogLevel level;
  spdlog::level::level_enum in_spdlog;
};
constexpr std::array kLevels = {
    LevelName{"trace", LogLevel::trace, spdlog::level::trace},
    LevelName{"debug", LogLevel::debug, spdlog::level::debug},
    LevelName{"info", LogLevel::info, spdlog::level::info},
    LevelName{"warn", LogLevel::warning, spdlog::level::warn},
    LevelName{"error", LogLevel::error, spdlog::level::err},
    LevelName{"off", LogLevel::off, spdlog::level::off},
};

/// Guards `files`, the lines of all LogFile objects.
std::mutex files_mutex;
std::vector<std::shared_ptr<LogLines>> files;

/// Returns the line "time - molgauge - LEVEL - text" with a line break. `text` must be printable.
std::string dated(LogLevel level, const std::string& text) {
  static const auto formatter = std::make_unique<spdlog::pattern_formatter>(kPattern);
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  spdlog::memory_buf_t line;
  formatter->format({"molgauge", kLevels[static_cast<std::size_t>(level)].in_spdlog, text}, line);
  return {line.data(), line.size()};
}

}  // namespace

LogLevel parse_log_level(const std::string& name) {
  const auto level = std::find_if(kLevels.begin(), kLevels.end(),
                                  [&](const LevelName& known) { return name == known.name; });
  if (level == kLevels.end()) {
    throw UsageError("--log-level " + name +
                     ": no such level. Available: trace, debug, info, warn, error, off");
  }
  return level->level;
}

LogLevel set_log_level(LogLevel level) { return session_state().log_level.exchange(level); }

bool is_logged(LogLevel level) {
  if (level >= session_state().log_level) {
    return true;
  }
  const std::lock_guard lock(files_mutex);
  return level >= LogLevel::info && !files.empty();
}

void log_line(LogLevel level, std::string_view text) {
  const SessionState& session = session_state();
  const bool shown = level >= session.log_level;
  const std::string printed = printable(text);
  const auto& log = session.log;
  if (shown && log) {
    log(level, printed);
  }
  std::string line;
  if (shown && !log) {
    line = dated(level, printed);
    write_above_status_line(line);
  }
  const std::lock_guard lock(files_mutex);
  if (!files.empty() && (shown || level >= LogLevel::info)) {
    line = line.empty() ? dated(level, printed) : line;
    for (const auto& file : files) {
      file->add(line);
    }
  }
}

LogFile::LogFile() : lines_(std::make_shared<LogLines>()) {
  const std::lock_guard lock(files_mutex);
  files.push_back(lines_);
}

LogFile::~LogFile() {
  const std::lock_guard lock(files_mutex);
  std::erase(files, lines_);
}

void LogFile::open(const std::string& path) { lines_->open(path); }

void LogFile::append(LogLevel level, const std::string& text) { lines_->add(dated(level, printable(text))); }

}  // namespace molgauge
