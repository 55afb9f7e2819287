#include "base/core/session/cancellation.h"

#include <atomic>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/end_at_first_signal.h"
#include "base/core/session/session_state.h"

namespace molgauge {
namespace {

/// Set by the signal handler. A signal stops all sessions, because it is sent to the process.
std::atomic<bool> signal_received{false};
std::atomic<int> ends_at_first_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int signal_number) {
  const bool ends = ends_at_first_signal > 0;
  if (!signal_received.exchange(true) && !ends) {
    return;
  }
  if (ends) {
    constexpr std::string_view kText = "molgauge: stopped. Finished work is kept\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
  }
  _exit(128 + signal_number);
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

EndAtFirstSignal::EndAtFirstSignal() { ++ends_at_first_signal; }
EndAtFirstSignal::~EndAtFirstSignal() { --ends_at_first_signal; }

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
