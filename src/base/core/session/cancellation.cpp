#include "base/core/session/cancellation.h"

#include <atomic>
#include <csignal>

#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/session_state.h"

namespace molgauge {
namespace {

/// Set by the signal handler. A signal stops all sessions, because it is sent to the process.
std::atomic<bool> signal_received{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int signal_number) {
  if (signal_received.exchange(true)) {
    _exit(128 + signal_number);
  }
}

}  // namespace

void install_cancellation() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool cancellation_requested() {
  return signal_received.load(std::memory_order_relaxed) ||
         session_state().stop_requested.load(std::memory_order_relaxed);
}

void throw_if_cancelled() {
  if (cancellation_requested()) {
    throw Interrupted();
  }
}

void request_cancellation(bool requested) { session_state().stop_requested = requested; }

}  // namespace molgauge
