// Tests `molgauge pocket train` in several processes.

#include <csignal>
#include <filesystem>
#include <future>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "pocket_set.h"
#include "support/free_port.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

constexpr const char* kFiles[] = {"best_model.safetensors", "checkpoints/last.safetensors",
                                  "training_history.json"};

class PocketProcesses : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return set_.path(name); }

  static CommandOptions process(std::size_t rank, std::size_t of, std::uint16_t port) {
    CommandOptions options;
    options.environment = {{"RANK", std::to_string(rank)},
                           {"WORLD_SIZE", std::to_string(of)},
                           {"LOCAL_RANK", std::to_string(rank)},
                           {"MASTER_ADDR", "127.0.0.1"},
                           {"MASTER_PORT", std::to_string(port)}};
    return options;
  }

  /// Runs both processes of a training. Kills the second process as soon as `kill` returns true.
  std::vector<Outcome> train_in_two(const std::string& run, const std::vector<std::string>& more,
                                    const std::function<bool()>& kill = {}) const {
    const std::uint16_t port = free_port();
    auto second = std::async(std::launch::async, [&] {
      CommandOptions options = process(1, 2, port);
      options.kill_when = kill;
      return set_.train(run, more, options);
    });
    const Outcome first = set_.train(run, more, process(0, 2, port));
    return {first, second.get()};
  }

  void expect_same_files(const std::string& one, const std::string& other) const {
    for (const char* file : kFiles) {
      EXPECT_EQ(read_file(path(one) + "/" + file), read_file(path(other) + "/" + file)) << file;
    }
  }

  const PocketSet set_;
};

TEST_F(PocketProcesses, TwoGiveTheBytesOfOne) {
  const std::vector<std::string> more = {
      "--accumulation-steps", "2", "--physics-weight", "0.3", "--loss", "infonce"};
  ASSERT_EQ(set_.train("one", more).exit_code, 0);
  const std::vector<Outcome> outcomes = train_in_two("two", more);
  ASSERT_EQ(outcomes[0].exit_code, 0) << outcomes[0].err;
  ASSERT_EQ(outcomes[1].exit_code, 0) << outcomes[1].err;
  EXPECT_THAT(outcomes[0].out, HasSubstr("best validation loss"));
  EXPECT_EQ(outcomes[1].out, "");
  expect_same_files("one", "two");
}

/// The remaining process names the failed rank and keeps the work. One process then continues it with
/// bit-identical results.
TEST_F(PocketProcesses, AKilledProcessCostsNothing) {
  const std::string splits = set_.file(
      "splits.json", R"({"train": ["0abc_L00_model0", "3abc_L03_model0"], "val": ["5abc_L05_model0"]})");
  const std::vector<std::string> more = {"--epochs", "12", "--save-every", "1", "--splits", splits};
  ASSERT_EQ(set_.train("whole", more).exit_code, 0);
  const auto has_begun = [&] {
    return std::filesystem::exists(path("killed/checkpoints/checkpoint_epoch_000.safetensors")) ||
           std::filesystem::exists(path("killed/checkpoints/last.safetensors"));
  };
  const std::vector<Outcome> outcomes = train_in_two("killed", more, has_begun);
  ASSERT_EQ(outcomes[1].signal, SIGKILL);
  EXPECT_EQ(outcomes[0].exit_code, 1) << outcomes[0].err;
  EXPECT_THAT(outcomes[0].err, HasSubstr("process 1 of 2 is gone"));
  EXPECT_THAT(outcomes[0].err, HasSubstr("is kept"));
  EXPECT_THAT(read_file(path("killed/training.log")), HasSubstr("process 1 of 2 is gone"));
  const Outcome resumed = set_.train("killed", more);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_same_files("whole", "killed");
}

TEST_F(PocketProcesses, OtherOptionsAndNonsenseAreRefused) {
  const std::uint16_t port = free_port();
  auto second = std::async(std::launch::async, [&] {
    return set_.train("run", {"--lr", "0.5"}, process(1, 2, port));
  });
  const Outcome first = set_.train("run", {"--lr", "0.1"}, process(0, 2, port));
  EXPECT_EQ(second.get().exit_code, 2);
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_THAT(first.err, HasSubstr("other options"));

  const Outcome nonsense = set_.train("nonsense", {}, process(2, 2, port));
  EXPECT_EQ(nonsense.exit_code, 2);
  EXPECT_THAT(nonsense.err, HasSubstr("RANK=2"));
  const Outcome alone = set_.train("nonsense", {"--process-timeout", "1"}, process(0, 2, free_port()));
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_THAT(alone.err, HasSubstr("did not come"));
  EXPECT_FALSE(std::filesystem::exists(path("nonsense")));
}

}  // namespace
}  // namespace molgauge::test
