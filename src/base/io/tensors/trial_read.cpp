#include "base/io/tensors/trial_read.h"

#include <cerrno>
#include <csignal>
#include <cstddef>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"

namespace molgauge::io {
namespace {

constexpr int kPollMilliseconds = 100;
constexpr char kEnded = 'e', kRefused = 'r';
/// Maximum bytes of the message of a child. A message of this size always fits into the pipe, so the child
/// never waits.
constexpr std::size_t kLongestReason = 4000;

/// Runs `read` and ends the child, without running the destructors and handlers of the parent, and without a
/// core file or a message.
[[noreturn]] void run_child(int descriptor, const std::function<void()>& read) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGINT}) {
    std::signal(number, SIG_DFL);
  }
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    ::dup2(nowhere, STDERR_FILENO);
  }
  std::string words(1, kEnded);
  try {
    read();
  } catch (const InputError& problem) {
    words = kRefused + std::string(problem.what()).substr(0, kLongestReason);
  } catch (...) {
    // The caller gets the same exception when it repeats the work.
  }
  const bool is_told = ::write(descriptor, words.data(), words.size()) == static_cast<ssize_t>(words.size());
  _exit(is_told ? 0 : 1);
}

/// Reads the message of a child. The child sends it in one piece before it ends.
Trial result_in(int descriptor) {
  std::string words(1 + kLongestReason, '\0');
  const ssize_t count = ::read(descriptor, words.data(), words.size());
  if (count <= 0) {
    return {Trial::Outcome::crashed};
  }
  words.resize(static_cast<std::size_t>(count));
  return words.front() == kRefused ? Trial{Trial::Outcome::refused, words.substr(1)} : Trial{};
}

/// Waits until the child sends a message, ends without a message, or reaches the time limit.
Trial wait_for(int descriptor, std::chrono::steady_clock::time_point latest) {
  while (std::chrono::steady_clock::now() < latest) {
    throw_if_cancelled();
    pollfd waited{descriptor, POLLIN, 0};
    if (::poll(&waited, 1, kPollMilliseconds) > 0) {
      return result_in(descriptor);
    }
  }
  return {Trial::Outcome::took_too_long};
}

/// A child process and the reading end of its pipe. The destructor ends the child.
class Child {
 public:
  Child(pid_t process, int descriptor) : process_(process), descriptor_(descriptor) {}
  ~Child() {
    ::close(descriptor_);
    // The system has not released the process ID yet, so it is still valid.
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

 private:
  pid_t process_;
  int descriptor_;
};

/// Whether the kernel keeps the process ID of a child until waitpid(). It does not if the host program
/// ignores SIGCHLD.
bool children_are_kept() {
  struct sigaction action = {};
  return ::sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler != SIG_IGN &&
         (action.sa_flags & SA_NOCLDWAIT) == 0;
}

}  // namespace

Trial try_in_child(std::chrono::seconds patience, const std::function<void()>& read) {
  int ends[2];
  if (!children_are_kept() || ::pipe2(ends, O_CLOEXEC) != 0) {
    return {};
  }
  const pid_t process = ::fork();
  if (process == 0) {
    ::close(ends[0]);
    run_child(ends[1], read);
  }
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    return {};
  }
  const Child child(process, ends[0]);
  return wait_for(ends[0], std::chrono::steady_clock::now() + patience);
}

}  // namespace molgauge::io
