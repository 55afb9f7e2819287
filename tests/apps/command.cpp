#include "command.h"

#include <array>
#include <csignal>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <malloc.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

int open_for(const std::filesystem::path& path, int flags) {
  const int descriptor = open(path.c_str(), flags, 0600);
  if (descriptor < 0) {
    throw std::runtime_error("cannot open " + path.string());
  }
  return descriptor;
}

/// Runs in the child, between fork and exec. Only async-signal-safe calls are allowed.
[[noreturn]] void become(const char* program, char* const* arguments, const CommandOptions& options,
                         const std::array<int, 3>& streams) {
  for (int stream = 0; stream < 3; ++stream) {
    dup2(streams[static_cast<std::size_t>(stream)], stream);
  }
  for (const auto& [name, value] : options.environment) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (options.largest_file_bytes) {
    signal(SIGXFSZ, SIG_DFL);  // the program must ignore the signal itself
    const rlimit limit = {*options.largest_file_bytes, *options.largest_file_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  for (const auto& [resource, value] : options.limits) {
    const rlimit limit = {value, value};
    setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  }
  if (options.run_as && (setgid(*options.run_as) != 0 || setuid(*options.run_as) != 0)) {
    _exit(126);
  }
  execv(program, arguments);
  _exit(127);
}

/// A pseudo-terminal that is 80 columns wide, and the text that the program writes to it.
class Terminal {
 public:
  Terminal() {
    const winsize size = {24, 80, 0, 0};
    if (openpty(&ours_, &theirs_, nullptr, nullptr, &size) != 0) {
      throw std::runtime_error("cannot open a pseudo-terminal");
    }
    termios modes{};
    tcgetattr(theirs_, &modes);
    modes.c_oflag &= ~static_cast<tcflag_t>(OPOST);  // line breaks stay unchanged
    tcsetattr(theirs_, TCSANOW, &modes);
  }
  ~Terminal() { close(ours_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  int theirs() const { return theirs_; }
  /// Call this after the child has opened its end of the terminal.
  void start_reading() {
    close(theirs_);
    reader_ = std::thread([this] {
      std::array<char, 4096> piece{};
      for (ssize_t count = 0; (count = read(ours_, piece.data(), piece.size())) > 0;) {
        text_.append(piece.data(), static_cast<std::size_t>(count));
      }
    });
  }
  /// Call this after the child has ended.
  std::string text() {
    reader_.join();
    return text_;
  }

 private:
  int ours_ = -1, theirs_ = -1;
  std::string text_;
  std::thread reader_;
};

std::chrono::nanoseconds nanoseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

/// The processor time that a child has used until now.
std::chrono::nanoseconds processor_time_of(pid_t child) {
  clockid_t clock = 0;
  timespec now{};
  if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &now) != 0) {
    return std::chrono::nanoseconds(0);
  }
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void signal_later(pid_t child, const std::optional<std::chrono::milliseconds>& delay, int signal_number) {
  if (delay) {
    std::this_thread::sleep_for(*delay);
    kill(child, signal_number);
  }
}

/// Waits until the child ends. Kills the child as soon as `kill_when` returns true.
int wait_for(pid_t child, const std::function<bool()>& kill_when, rusage& usage) {
  int status = 0;
  while (kill_when && wait4(child, &status, WNOHANG, &usage) == 0) {
    if (kill_when()) {
      kill(child, SIGKILL);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  wait4(child, &status, 0, &usage);  // has no effect if the loop has already waited for the end
  return status;
}

}  // namespace

Outcome molgauge(const std::vector<std::string>& arguments, const CommandOptions& options) {
  const TemporaryFolder folder;
  replace_file(folder / "in", options.stdin_text);
  const std::string program = options.program.empty() ? MOLGAUGE_PROGRAM : options.program.string();
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);

  const std::array<int, 3> streams = {open_for(folder / "in", O_RDONLY | O_CLOEXEC),
                                      open_for(folder / "out", O_WRONLY | O_CREAT | O_CLOEXEC),
                                      open_for(folder / "err", O_WRONLY | O_CREAT | O_CLOEXEC)};
  std::optional<Terminal> terminal;
  std::array<int, 3> given = streams;
  if (options.stderr_is_terminal) {
    terminal.emplace();
    given[2] = terminal->theirs();
  }
  malloc_trim(0);  // see Outcome::peak_resident_bytes
  const pid_t child = fork();
  if (child == 0) {
    become(program.c_str(), pointers.data(), options, given);
  }
  for (const int stream : streams) {
    close(stream);
  }
  if (terminal) {
    terminal->start_reading();
  }
  signal_later(child, options.interrupt_after, SIGINT);
  const std::chrono::nanoseconds before_interrupt = processor_time_of(child);
  signal_later(child, options.kill_after, SIGKILL);
  rusage usage{};
  const int status = wait_for(child, options.kill_when, usage);

  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.peak_resident_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  outcome.processor_time = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
  outcome.processor_time_after_interrupt = outcome.processor_time - before_interrupt;
  outcome.out = read_file(folder / "out");
  outcome.err = terminal ? terminal->text() : read_file(folder / "err");
  return outcome;
}

}  // namespace molgauge::test
