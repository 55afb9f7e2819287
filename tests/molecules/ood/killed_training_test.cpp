#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include "base/core/session/log.h"
#include "support/fixtures.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

using std::chrono::milliseconds;

pid_t start_training(const std::string& run) {
  std::string program = MOLGAUGE_SLOW_TRAINING, folder = run;
  char* arguments[] = {program.data(), folder.data(), nullptr};
  pid_t process = 0;
  EXPECT_EQ(posix_spawn(&process, program.c_str(), nullptr, nullptr, arguments, environ), 0);
  return process;
}

std::filesystem::file_time_type written(const std::filesystem::path& file) {
  std::error_code absent;
  return std::filesystem::last_write_time(file, absent);
}

/// Waits for the next save, and then kills the process after `delay`.
void kill_after_a_save(pid_t process, const std::filesystem::path& checkpoint,
                       std::filesystem::file_time_type before, milliseconds delay) {
  while (written(checkpoint) == before && waitpid(process, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  std::this_thread::sleep_for(delay);
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

TEST(KilledTraining, EndsLikeAnUndisturbedOne) {
  set_log_level(LogLevel::off);
  const test::TemporaryFolder folder;
  const TrainingData data = test::training_data();
  const TrainingOptions options = test::long_options();
  train_energy_head(data, options, folder / "whole");

  const std::filesystem::path run = folder / "killed", checkpoint = run / "checkpoints/last.safetensors";
  for (const milliseconds delay : {milliseconds(0), milliseconds(130), milliseconds(1)}) {
    const auto before = written(checkpoint);
    kill_after_a_save(start_training(run.string()), checkpoint, before, delay);
    ASSERT_TRUE(std::filesystem::exists(checkpoint));
  }
  EXPECT_TRUE(train_energy_head(data, options, run).resumed);
  test::expect_same_training(folder / "whole", run);
}

}  // namespace
}  // namespace molgauge::ood
