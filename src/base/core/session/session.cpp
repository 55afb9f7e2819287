#include "molgauge/session.h"

#include <mutex>

#include "base/core/error.h"
#include "base/core/session/session_state.h"

namespace molgauge {
namespace {

std::atomic<SessionState*> open_session{nullptr};

/// Wraps `report` so that only one thread calls it at a time and its exceptions are ignored.
template <typename... Arguments>
std::function<void(Arguments...)> one_at_a_time(std::function<void(Arguments...)> report) {
  if (!report) {
    return {};
  }
  const auto mutex = std::make_shared<std::mutex>();
  return [mutex, report = std::move(report)](Arguments... arguments) {
    const std::lock_guard lock(*mutex);
    try {
      report(arguments...);
    } catch (...) {
      // A failed report does not stop the work.
    }
  };
}

}  // namespace

SessionState& session_state() {
  static SessionState of_the_process;
  SessionState* const open = open_session.load(std::memory_order_acquire);
  return open == nullptr ? of_the_process : *open;
}

struct Session::Members {
  SessionState state;
};

Session::Session(SessionOptions options) : members_(std::make_unique<Members>()) {
  members_->state.is_quiet = options.quiet;
  members_->state.log_level = options.log_level;
  members_->state.log = one_at_a_time(std::move(options.log));
  members_->state.progress = one_at_a_time(std::move(options.progress));
  SessionState* none = nullptr;
  if (!open_session.compare_exchange_strong(none, &members_->state)) {
    throw UsageError(
        "a session of Molgauge is already open in this process. Use it, or end it first, because memory "
        "budgets apply to the whole process");
  }
}

Session::~Session() {
  // Stops a call that runs in another thread, and refuses waiting calls. at_end waits until all calls have
  // ended, because the state that they use is destroyed afterwards.
  members_->state.is_ending = true;
  members_->state.stop_requested = true;
  if (void (*const at_end)() = members_->state.at_end) {
    at_end();
  }
  open_session.store(nullptr, std::memory_order_release);
}

void Session::stop() noexcept { members_->state.stop_requested = true; }

}  // namespace molgauge
