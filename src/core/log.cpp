#include "core/log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <vector>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

#include "core/error.h"
#include "core/printable.h"
#include "core/status_line.h"

namespace headroom {
namespace {

constexpr std::size_t kMostWaiting = 1000;
constexpr const char* kPattern = "%Y-%m-%d %H:%M:%S,%e - headroom - %l - %*";

/// The text of a message, in which no byte of an input acts upon the terminal.
class PrintableText final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
              spdlog::memory_buf_t& line) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    line.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<PrintableText>(); }
};

std::unique_ptr<spdlog::formatter> make_formatter() {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<PrintableText>('*').set_pattern(kPattern);
  return formatter;
}

class StderrSink final : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    write_above_status_line({line.data(), line.size()});
  }
  void flush_() override {}
};

}  // namespace

void start_logging(const std::string& level) {
  constexpr std::array names = {"trace", "debug", "info", "warn", "error", "off"};
  if (std::find(names.begin(), names.end(), level) == names.end()) {
    throw UsageError("--log-level " + level + ": choose one of trace, debug, info, warn, error, off");
  }
  const auto sink = std::make_shared<StderrSink>();
  // The sink's as well: a log file has the logger let more through.
  sink->set_level(spdlog::level::from_str(level));
  sink->set_formatter(make_formatter());
  auto logger = std::make_shared<spdlog::logger>("headroom", sink);
  logger->set_level(sink->level());
  spdlog::set_default_logger(std::move(logger));
}

class LogFile::Sink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void open(const std::string& path) {
    const std::lock_guard lock(mutex_);
    errno = 0;
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

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (file_.is_open()) {
      // What cannot be written (a full disk) is no reason to stop.
      file_.write(line.data(), static_cast<std::streamsize>(line.size())).flush();
      file_.clear();
    } else if (waiting_.size() < kMostWaiting) {
      waiting_.emplace_back(line.data(), line.size());
    }
  }
  void flush_() override {}

 private:
  std::ofstream file_;
  std::vector<std::string> waiting_;
};

LogFile::LogFile() : sink_(std::make_shared<Sink>()), former_level_(spdlog::default_logger()->level()) {
  const auto logger = spdlog::default_logger();
  sink_->set_formatter(make_formatter());
  sink_->set_level(std::min(former_level_, spdlog::level::info));
  for (const auto& other : logger->sinks()) {
    // A logger that this program did not make has one level for all its sinks.
    other->set_level(std::max(other->level(), former_level_));
  }
  logger->set_level(sink_->level());
  logger->sinks().push_back(sink_);
}

LogFile::~LogFile() {
  const auto logger = spdlog::default_logger();
  std::erase(logger->sinks(), sink_);
  logger->set_level(former_level_);
}

void LogFile::open(const std::string& path) { sink_->open(path); }

void LogFile::append(spdlog::level::level_enum level, const std::string& text) {
  sink_->log(spdlog::details::log_msg(spdlog::default_logger()->name(), level, text));
}

}  // namespace headroom
