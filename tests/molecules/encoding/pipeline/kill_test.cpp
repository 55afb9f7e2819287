// Tests that kill -9 at any moment loses only the current batches.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include "fakes.h"
#include "support/fixtures.h"

extern char** environ;

namespace molgauge::pipeline {
namespace {

constexpr std::size_t kMolecules = 2000;
constexpr int kMillisecondsABatch = 20;

pid_t start_encoding(const std::filesystem::path& folder) {
  std::string program = MOLGAUGE_ENCODE_SLOWLY, store = folder.string();
  std::string molecules = std::to_string(kMolecules), delay = std::to_string(kMillisecondsABatch);
  char* const arguments[] = {program.data(), store.data(), molecules.data(), delay.data(), nullptr};
  pid_t process = 0;
  EXPECT_EQ(posix_spawn(&process, program.c_str(), nullptr, nullptr, arguments, environ), 0);
  return process;
}

/// Returns the exit code, or -1 if the process was killed.
int wait_for(pid_t process) {
  int status = 0;
  EXPECT_EQ(waitpid(process, &status, 0), process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Returns the keys in the store. Each key must have its expected row.
std::set<Hash128> expect_right_rows(const std::filesystem::path& folder,
                                    const std::map<Hash128, std::vector<float>>& expected) {
  std::set<Hash128> keys;
  if (!std::filesystem::exists(folder / "data.mdb")) {
    return keys;  // the process was killed before the store existed
  }
  const auto store = store::FeatureStore::open(folder, store::Access::write);
  EXPECT_EQ(store.verify().damaged, 0U);
  store.table(feature_space(test::FakeEncoder()))
      .for_each([&](const Hash128& key, std::span<const float> row) {
        keys.insert(key);
        const auto right = expected.find(key);
        ASSERT_NE(right, expected.end());
        EXPECT_EQ(std::vector<float>(row.begin(), row.end()), right->second);
      });
  return keys;
}

TEST(Kill, LosesNothingThatWasFinishedAndTheNextRunGoesOn) {
  const molgauge::test::TemporaryFolder folder;
  const test::FakeEncoder encoder;
  std::map<Hash128, std::vector<float>> expected;
  for (const auto& record : test::chains(kMolecules)) {
    expected[key_of(record)] = encoder.row_of(record);
  }

  std::mt19937 random(7);
  int longest_milliseconds = 400;
  std::set<Hash128> kept;
  std::size_t kills_that_cost_work = 0;
  for (int kill_number = 0; kill_number < 12; ++kill_number) {
    std::uniform_int_distribution<int> moment(20, longest_milliseconds);
    const pid_t process = start_encoding(folder / "store");
    std::this_thread::sleep_for(std::chrono::milliseconds(moment(random)));
    kill(process, SIGKILL);
    kills_that_cost_work += wait_for(process) == -1 ? 1U : 0U;
    const auto now = expect_right_rows(folder / "store", expected);
    EXPECT_TRUE(std::ranges::includes(now, kept)) << "rows that were on disk are gone";
    if (now.size() == kept.size()) {
      longest_milliseconds = longest_milliseconds * 3 / 2;  // the machine is slow, or there is a sanitizer
    }
    kept = now;
  }
  EXPECT_GT(kills_that_cost_work, 3U);
  EXPECT_FALSE(kept.empty()) << "killed runs leave their finished batches";

  ASSERT_EQ(wait_for(start_encoding(folder / "store")), 0);
  EXPECT_EQ(expect_right_rows(folder / "store", expected).size(), expected.size());
}

}  // namespace
}  // namespace molgauge::pipeline
