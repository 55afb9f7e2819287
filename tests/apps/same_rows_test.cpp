// Tests that the row of a molecule in features.npy is bit-identical for any number of threads, any batches,
// any order of the file, and any kills during the work. MOLGAUGE_KILLS sets the number of kills.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npy.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using Arguments = std::vector<std::string>;

constexpr std::size_t kMolecules = 60;

int kill_count() {
  const char* const wanted = std::getenv("MOLGAUGE_KILLS");
  return wanted == nullptr ? 3 : std::atoi(wanted);
}

class SameRows : public testing::TestWithParam<const char*> {
 protected:
  /// All tests of a precision share a folder with the undisturbed rows.
  void SetUp() override {
    if (!workplaces_[GetParam()]) {
      workplaces_[GetParam()] = std::make_unique<Workplace>();
      ASSERT_NO_FATAL_FAILURE(make());
    }
  }
  static void TearDownTestSuite() { workplaces_.clear(); }

  void make() const {
    const std::string file = place().path("formula.safetensors");
    ASSERT_EQ(std::system((MOLGAUGE_WRITE_FORMULA_WEIGHTS " " + file).c_str()), 0);
    const Outcome installed =
        molgauge({"weights", "install", "minimol", "--from", file, "--weights", place().path("weights")});
    ASSERT_EQ(installed.exit_code, 0) << installed.err;
    ASSERT_EQ(encode(molecules(), "undisturbed", {"--threads", "1"}).exit_code, 0);
  }

  /// Encodes with MiniMol into a separate store, and exports the rows to NAME.npy.
  Outcome encode(const std::string& molecules, const std::string& name, Arguments more,
                 const CommandOptions& options = {}) const {
    Arguments all = {"encode", molecules,  "--encoder",   "minimol",  "--weights", place().path("weights"),
                     "--out",  path(name), "--precision", GetParam(), "--store",   place().path(name),
                     "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return molgauge(all, options);
  }
  std::string path(const std::string& name) const { return place().path(name + ".npy"); }

  static const Workplace& place() { return *workplaces_.at(GetParam()); }
  static std::string molecules() { return place().nci_molecules(kMolecules); }

 private:
  static std::map<std::string, std::unique_ptr<Workplace>> workplaces_;
};
std::map<std::string, std::unique_ptr<Workplace>> SameRows::workplaces_;

TEST_P(SameRows, WhateverTheThreadsAndBatches) {
  const std::string expected = read_file(path("undisturbed"));
  for (const Arguments& strategy : {Arguments{"--threads", "3"},
                                    {"--threads", "2", "--batch-atoms", "60"},
                                    {"--threads", "1", "--batch-atoms", "333"}}) {
    const std::string name = strategy[1] + strategy.back();
    const Outcome outcome = encode(molecules(), name, strategy);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(read_file(path(name)) == expected) << name;
  }
}

TEST_P(SameRows, WhateverTheOrderOfTheFile) {
  std::istringstream lines(read_file(molecules()));
  std::string reversed, line;
  while (std::getline(lines, line)) {
    reversed = line + "\n" + reversed;
  }
  const Outcome outcome =
      encode(place().file("reversed.smi", reversed), "reversed", {"--threads", "2", "--batch-atoms", "150"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto expected = io::read_npy(path("undisturbed")), rows = io::read_npy(path("reversed"));
  ASSERT_EQ(rows.shape, expected.shape);
  const std::size_t width = expected.bytes.size() / kMolecules;
  for (std::size_t row = 0; row < kMolecules; ++row) {
    EXPECT_TRUE(std::equal(rows.bytes.begin() + row * width, rows.bytes.begin() + (row + 1) * width,
                           expected.bytes.begin() + (kMolecules - 1 - row) * width))
        << row;
  }
}

/// Each round encodes into a new store. The encoding is killed at different moments and repeated until no
/// work is left. The moments lie within the time of a complete encoding on this machine.
TEST_P(SameRows, AfterKillsOnTheWay) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  const std::string expected = read_file(path("undisturbed"));
  const auto begin = Clock::now();
  ASSERT_EQ(encode(molecules(), "timed", {"--threads", "3", "--batch-atoms", "240"}).exit_code, 0);
  const milliseconds whole = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
  std::mt19937 random(5);
  int kills = 0;
  for (int round = 0; kills < kill_count(); ++round) {
    ASSERT_LT(round, 20 * kill_count()) << "nearly every encoding ended before it could be killed";
    const std::string name = "killed" + std::to_string(round);
    Outcome outcome;
    do {
      CommandOptions options;
      if (kills < kill_count()) {
        options.kill_after =
            milliseconds(random() % static_cast<std::uint64_t>(std::max<std::int64_t>(whole.count(), 1)));
      }
      outcome = encode(molecules(), name,
                       {"--threads", std::to_string(1 + random() % 3), "--batch-atoms",
                        std::to_string(40 + random() % 200)},
                       options);
      kills += outcome.signal == SIGKILL ? 1 : 0;
    } while (outcome.signal == SIGKILL);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(read_file(path(name)) == expected) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, SameRows, testing::Values("fp32", "bf16", "int8"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace molgauge::test
