#include "base/core/session/library_loading.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/process_limits.h"
#include "base/core/text/bytes.h"
#include "base/core/threads/thread_count.h"
#include "base/core/threads/worker_group.h"

namespace molgauge {
namespace {

constexpr const char* kOpenMpThreads = "OMP_NUM_THREADS";
constexpr const char* kThreadVariables[] = {kOpenMpThreads, "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
                                            "MKL_NUM_THREADS"};
/// Maximum CPU seconds of a trial. They are many times the longest loading time.
constexpr rlim_t kTrialSeconds = 5;

/// Exit codes of the child process. kNoRoom means that a limit prevents loading. kDamaged means that the
/// library is missing or damaged. In this case, the next attempt to load the library reports the reason.
constexpr int kLoads = 0, kDamaged = 1, kNoRoom = 2;

void correct_numbers_of_threads() {
  for (const char* const variable : kThreadVariables) {
    if (const char* const value = std::getenv(variable);
        value != nullptr && *value != '\0' && !is_number_of_threads(value)) {
      setenv(variable, std::to_string(available_processors()).c_str(), 1);
    }
  }
}

/// Whether 64 MiB can still be allocated after loading. The program needs memory for its work. It may also
/// allocate some memory between the trial and the real loading.
bool has_room_to_work() {
  constexpr std::size_t kRoom = std::size_t{64} << 20;
  return mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
         MAP_FAILED;
}

bool is_want_of_room(std::string_view reason) {
  return reason.find("failed to map") != std::string_view::npos ||
         reason.find("cannot map") != std::string_view::npos ||
         reason.find("cannot allocate") != std::string_view::npos;
}

/// Loads the library in the child process, which reports only an exit code.
[[noreturn]] void load_and_exit(const std::string& library) {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  const rlimit processor_time = {kTrialSeconds, kTrialSeconds};
  setrlimit(RLIMIT_CPU, &processor_time);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  try {
    // dlopen is declared as not throwing, but initialisers of libraries may throw. The volatile pointer hides
    // the declaration from the compiler.
    void* (*volatile open_library)(const char*, int) = dlopen;
    if (open_library(library.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) {
      _exit(has_room_to_work() ? kLoads : kNoRoom);
    }
  } catch (...) {
    _exit(kNoRoom);
  }
  _exit(is_want_of_room(dlerror()) ? kNoRoom : kDamaged);
}

int wait_for(pid_t child) {
  constexpr std::chrono::milliseconds kPause(10);
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) {
      return status;
    }
    if (cancellation_requested()) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      throw Interrupted();
    }
    std::this_thread::sleep_for(kPause);
  }
}

/// Loads the library in a child process. Returns false if a limit prevents this. Returns true if the library
/// can be loaded, if it fails for another reason, or if no child process can be started.
bool loads_on_trial(const std::string& library) {
  const pid_t child = fork();
  if (child == 0) {
    load_and_exit(library);
  }
  if (child < 0) {
    return true;
  }
  const int status = wait_for(child);
  return WIFEXITED(status) && (WEXITSTATUS(status) == kLoads || WEXITSTATUS(status) == kDamaged);
}

}  // namespace

bool is_number_of_threads(const std::string& text) {
  std::string_view rest = text;
  while (true) {
    std::size_t number = 0;
    const auto [stop, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (failure != std::errc() || number == 0 || number > kMaxThreads) {
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    if (rest.empty()) {
      return true;
    }
    if (rest.front() != ',') {
      return false;
    }
    rest.remove_prefix(1);
  }
}

std::string own_library(const std::string& name) {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&own_library), &here) == 0 || here.dli_fname == nullptr) {
    return name;
  }
  const std::filesystem::path beside =
      std::filesystem::path(here.dli_fname).replace_filename(name).lexically_normal();
  std::error_code unknown;
  return std::filesystem::exists(beside, unknown) ? beside.string() : name;
}

void prepare_loading(const std::string& library) {
  correct_numbers_of_threads();
  const auto left = address_space_left();
  if (!left) {
    return;
  }
  memory_from_one_heap();
  if (loads_on_trial(library)) {
    return;
  }
  setenv(kOpenMpThreads, "1", 1);
  if (loads_on_trial(library)) {
    return;
  }
  throw Error("the limits of this process (ulimit -v, ulimit -d) leave " + format_bytes(*left) +
                  " of address space, in which " + library +
                  " and its libraries cannot be loaded. Raise the limits to 2 GiB or more, or remove them "
                  "and use --memory-budget",
              ExitCode::over_budget);
}

}  // namespace molgauge
