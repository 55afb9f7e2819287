#include "core/log.h"

#include <algorithm>
#include <array>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "core/error.h"

namespace headroom {
namespace {

constexpr const char* kPattern = "%Y-%m-%d %H:%M:%S,%e - headroom - %l - %v";

}  // namespace

void start_logging(const std::string& level) {
  constexpr std::array names = {"trace", "debug", "info", "warn", "error", "off"};
  if (std::find(names.begin(), names.end(), level) == names.end()) {
    throw UsageError("--log-level " + level + ": choose one of trace, debug, info, warn, error, off");
  }
  auto logger =
      std::make_shared<spdlog::logger>("headroom", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern(kPattern);
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

LogFile::LogFile(const std::string& path) {
  try {
    sink_ = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path);
  } catch (const spdlog::spdlog_ex& failure) {
    throw Error(path + ": cannot write the log: " + failure.what());
  }
  sink_->set_pattern(kPattern);
  spdlog::default_logger()->sinks().push_back(sink_);
  spdlog::default_logger()->flush_on(spdlog::level::info);
}

LogFile::~LogFile() {
  auto& sinks = spdlog::default_logger()->sinks();
  std::erase(sinks, sink_);
}

}  // namespace headroom
