#include "molecules/chem/conformers/worker_process.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/library_loading.h"

namespace molgauge::chem {
namespace {

constexpr const char* kProgram = "molgauge-conformer-worker";
/// Timeout for loading RDKit. It is many times the loading time on a busy machine.
constexpr std::chrono::seconds kStart(120);
/// Seconds after the deadline at which the worker ends itself, in case this process is stopped and cannot end
/// it.
constexpr double kGraceSeconds = 5;

[[noreturn]] void refuse_program(const std::string& program, const std::string& reason) {
  throw Error(
      fmt::format("{}: the program that generates conformers cannot be started: {}. Install it next to "
                  "Molgauge's libraries",
                  program, reason));
}

/// The descriptors of the new process. The socket is its standard input and output. It inherits no other
/// descriptors.
class FileActions {
 public:
  explicit FileActions(int socket) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// The new process gets its own process group, so that Ctrl-C on the terminal reaches only this process. No
/// signal is blocked or ignored in it.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

std::string WorkerProcess::own_program() { return own_library(kProgram); }

WorkerProcess::WorkerProcess(std::string program) : program_(std::move(program)) {}

void WorkerProcess::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    refuse_program(program_, std::strerror(errno));
  }
  std::string name = program_;
  char* const arguments[] = {name.data(), nullptr};
  const int failure = posix_spawnp(&process_, program_.c_str(), FileActions(ends[1]).get(),
                                   Attributes().get(), arguments, environ);
  close(ends[1]);
  socket_ = ends[0];
  if (failure != 0) {
    process_ = 0;
    end();
    refuse_program(program_, std::strerror(failure));
  }
  process_descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
  Message ready;
  Received received = Received::ended;
  try {
    received = receive_message(socket_, ready, std::chrono::steady_clock::now() + kStart);
  } catch (...) {
    end();
    throw;
  }
  if (received != Received::whole) {
    const std::string cause = exit_reason();
    refuse_program(program_, "it " + cause);
  }
}

void WorkerProcess::end() {
  if (socket_ >= 0) {
    close(std::exchange(socket_, -1));
  }
  if (process_ > 0) {
    kill_process();
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
  }
  if (process_descriptor_ >= 0) {
    close(std::exchange(process_descriptor_, -1));
  }
}

/// If the host program ignores SIGCHLD, the kernel removes ended processes at once. The process ID may then
/// belong to another process.
void WorkerProcess::kill_process() const {
  if (process_descriptor_ >= 0) {
    syscall(SYS_pidfd_send_signal, process_descriptor_, SIGKILL, nullptr, 0);
  } else if (waitpid(process_, nullptr, WNOHANG | WNOWAIT) == 0) {  // used by kernels before Linux 5.3
    kill(process_, SIGKILL);
  }
}

/// Ends the process. If it had already ended, returns the reason.
std::string WorkerProcess::exit_reason() {
  // Waits for up to a second, because the socket closes slightly before the process ends.
  constexpr int kLooks = 100;
  constexpr useconds_t kPause = 10'000;
  int status = 0;
  pid_t gone = 0;
  for (int look = 0; look < kLooks && (gone = waitpid(process_, &status, WNOHANG)) == 0; ++look) {
    usleep(kPause);
  }
  if (gone == process_) {
    process_ = 0;
  }
  end();
  if (gone <= 0) {
    return "stopped answering";
  }
  return WIFSIGNALED(status)
             ? fmt::format("crashed (signal {}, {})", WTERMSIG(status), strsignal(WTERMSIG(status)))
             : fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

void WorkerProcess::lose(const std::string& reason) {
  ++lost_;
  throw InvalidMolecule(reason);
}

MadeConformer WorkerProcess::make(const MoleculeRecord& record, const ConformerLimits& limits) {
  if (!record.unreadable.empty()) {
    throw InvalidMolecule(record.unreadable);
  }
  if (record.text.size() > kLongestText) {
    throw InvalidMolecule(fmt::format("longer than {} characters", kLongestText));
  }
  if (process_ == 0) {
    start();
  }
  const ConformerRequest request{
      .record = record,
      .most_atoms = static_cast<std::uint32_t>(limits.most_atoms),
      .seconds = static_cast<std::uint32_t>(std::ceil(limits.deadline.count() + kGraceSeconds)),
      .engine = limits.engine};
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::duration_cast<std::chrono::steady_clock::duration>(limits.deadline);
  Message answer;
  Received received = Received::ended;
  try {
    if (send_message(socket_, to_message(request))) {
      received = receive_message(socket_, answer, deadline);
    }
  } catch (...) {
    end();  // otherwise the next request would receive the late answer to this request
    throw;
  }
  if (received == Received::late) {
    end();
    lose(fmt::format("exceeded the time limit of {:g} s for a conformer", limits.deadline.count()));
  }
  if (received == Received::ended) {
    lose("RDKit's process " + exit_reason() + " while it generated the conformer");
  }
  auto reply = to_reply(answer);
  if (!reply) {
    end();
    lose("the process that generates conformers returned an invalid answer");
  }
  if (!reply->made) {
    throw InvalidMolecule(reply->reason);
  }
  return std::move(*reply->made);
}

}  // namespace molgauge::chem
