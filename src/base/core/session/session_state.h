#pragma once

#include <atomic>
#include <functional>
#include <string_view>

#include "molgauge/session.h"

namespace molgauge {

/// The members of the open session that base/core/session/cancellation.h, base/core/session/log.h,
/// base/core/session/progress.h and base/core/session/standard_streams.h use.
struct SessionState {
  std::atomic<bool> stop_requested{false};
  std::atomic<bool> is_ending{false};  ///< no further call may begin
  std::atomic<bool> is_quiet{false};
  std::atomic<LogLevel> log_level{LogLevel::info};
  std::atomic<void (*)()> at_end{nullptr};              ///< called when the session ends; may be null
  std::function<void(LogLevel, std::string_view)> log;  ///< if empty, log lines go to stderr
  std::function<void(const ProgressReport&)> progress;  ///< if empty, progress goes to stderr
};

/// The state of the open session. If no session is open, the state of the process, which writes to stderr.
SessionState& session_state();

}  // namespace molgauge
