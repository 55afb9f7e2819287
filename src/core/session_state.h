#pragma once

#include <atomic>
#include <functional>
#include <string_view>

#include "headroom/session.h"

namespace headroom {

/// What core/cancellation.h, core/log.h, core/progress.h and core/standard_streams.h work with: the members
/// of the session that is open.
struct SessionState {
  std::atomic<bool> stop_requested{false};
  std::atomic<bool> is_quiet{false};
  std::function<void(LogLevel, std::string_view)> log;  ///< empty: stderr
  std::function<void(const ProgressReport&)> progress;  ///< empty: stderr
};

/// That of the open session. Before one is opened and after it has ended, one of the process, which writes to
/// stderr.
SessionState& session_state();

}  // namespace headroom
