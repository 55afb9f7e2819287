// Tests a training of the last layers of Uni-Mol that is killed at any moment and continued. Its result is
// bit-identical to an undisturbed training.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "command.h"
#include "small_unimol.h"

namespace molgauge::test {
namespace {

constexpr int kKillsOfTraining = 3;

int kills_of_training() {
  const char* const kills = std::getenv("MOLGAUGE_KILLS");
  return kills == nullptr ? kKillsOfTraining : std::atoi(kills);
}

class KilledTuning : public UnimolTraining {
 protected:
  Outcome train(const std::string& run, const CommandOptions& options = {}) const {
    const std::string epochs = std::to_string(4 * kills_of_training() + 4);
    return molgauge({"train",
                     path("chains.csv"),
                     "--ood",
                     path("rings.smi"),
                     "--run",
                     path(run),
                     "--encoder",
                     "unimol",
                     "--store",
                     path("store"),
                     "--weights",
                     path("weights"),
                     "--random-weights",
                     "--finetune-encoder",
                     "--freeze-layers",
                     "0",
                     "--encoder-lr",
                     "1e-3",
                     "--batch-size",
                     "8",
                     "--eval-steps",
                     "2",
                     "--hidden-dim",
                     "16",
                     "--epochs",
                     epochs,
                     "--patience",
                     epochs,
                     "--threads",
                     "2",
                     "--quiet"},
                    options);
  }

  /// The time when a checkpoint or the best model of the run was last replaced.
  std::filesystem::file_time_type last_written(const std::string& run) const {
    std::error_code absent;
    auto last = std::filesystem::file_time_type::min();
    for (const char* const file : {"best_model.safetensors", "checkpoints/last.safetensors"}) {
      const auto written = std::filesystem::last_write_time(path(run + "/" + file), absent);
      last = absent ? last : std::max(last, written);
    }
    return last;
  }
};

TEST_F(KilledTuning, EndsWithTheBytesOfTheUndisturbed) {
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(train("alone").exit_code, 0);
  // The duration of the training differs by large factors between machines.
  const auto whole =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
  std::mt19937 random(2026);
  int kills = 0, kills_of_steps = 0;
  for (; kills < kills_of_training(); ++kills) {
    // Two kills of three come soon after new data is on disk, to reach all stages of the training. The others
    // come at any moment, for example while the program loads or computes the frozen layers.
    const auto before = last_written("killed");
    const bool is_waiting = kills % 3 != 2;
    const std::chrono::milliseconds later(random() % (1 + (is_waiting ? whole / 50 : whole)));
    CommandOptions options;
    options.kill_when = [&] {
      if (is_waiting && last_written("killed") == before) {
        return false;
      }
      std::this_thread::sleep_for(later);
      return true;
    };
    const Outcome outcome = train("killed", options);
    if (outcome.signal != SIGKILL) {
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      break;
    }
    kills_of_steps += last_written("killed") != before ? 1 : 0;
  }
  EXPECT_GT(kills_of_steps, 1) << "too few kills fell into the training to prove anything";
  const Outcome last = train("killed");
  ASSERT_EQ(last.exit_code, 0) << last.err;
  for (const char* const file : {"best_model.safetensors", "training_curve.csv", "training_dynamics.csv",
                                 "validation_scores.safetensors"}) {
    EXPECT_EQ(read_file(path(std::string("killed/") + file)), read_file(path(std::string("alone/") + file)))
        << file;
  }
}

}  // namespace
}  // namespace molgauge::test
