#include "core/cancellation.h"

#include <atomic>
#include <csignal>

#include <unistd.h>

#include "core/error.h"

namespace headroom {
namespace {

std::atomic<bool> requested_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void on_signal(int signal_number) {
  if (requested_flag.exchange(true)) {
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

bool cancellation_requested() { return requested_flag.load(std::memory_order_relaxed); }

void throw_if_cancelled() {
  if (cancellation_requested()) {
    throw Interrupted();
  }
}

void request_cancellation(bool requested) { requested_flag.store(requested); }

}  // namespace headroom
