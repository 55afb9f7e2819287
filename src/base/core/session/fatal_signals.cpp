#include "base/core/session/fatal_signals.h"

#include <csignal>
#include <string_view>

#include <unistd.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

/// Calls only write and _exit. Other functions are not safe in this signal handler.
void on_bus_error(int) {
  constexpr std::string_view kText =
      "molgauge: another program has truncated a memory-mapped file (usually data.mdb of the feature store), "
      "or its disk fails. Run the same command again when no other program writes to it. Finished work is "
      "kept\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
  _exit(static_cast<int>(ExitCode::failed));
}

void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

void handle_file_signals() {
  handle(SIGXFSZ, SIG_IGN);
  handle(SIGBUS, on_bus_error);
}

}  // namespace molgauge
