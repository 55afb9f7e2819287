// Tests kill -9 at any moment of a matrix of 30 runs. Finished runs are not repeated, and the table equals
// the table of an undisturbed matrix.

#include <csignal>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::size_t kRuns = 30;
constexpr int kKills = 6;

/// Twenty energy heads and ten baselines.
constexpr const char* kKilledMatrix = R"([matrix]
encoders = ["ecfp"]
seeds = [1, 2, 3, 4, 5]

[training]
epochs = 4
batch-size = 64

[classifier]
epochs = 3

[[benchmark]]
name = "nci-size"
molecules = "nci.csv"
label-column = "nitrogen"
domain = "size"
algorithm = "drugood"

[[method]]
name = "energy"
loss = ["dpo", "hinge"]
lambda-reg = [0.01, 0.1]

[[method]]
name = "softmax"
kind = "msp"

[[method]]
name = "nearest"
kind = "knn"
knn-k = 5
)";

/// The inode and modification time of a file. Both change whenever a writer replaces the file.
struct FileIdentity {
  ino_t number = 0;
  timespec written = {};

  explicit FileIdentity(const fs::path& path) {
    struct stat status = {};
    stat(path.c_str(), &status);
    number = status.st_ino;
    written = status.st_mtim;
  }
  bool operator==(const FileIdentity& other) const {
    return number == other.number && written.tv_sec == other.written.tv_sec &&
           written.tv_nsec == other.written.tv_nsec;
  }
};

class KilledMatrix : public testing::Test {
 protected:
  void SetUp() override {
    std::istringstream lines(read_file(place_.nci_molecules(300)));
    std::string table = "smiles,nitrogen\n";
    for (std::string line; std::getline(lines, line);) {
      const std::string smiles = line.substr(0, line.find_first_of(" \t"));
      table += smiles + (smiles.find_first_of("Nn") != std::string::npos ? ",1\n" : ",0\n");
    }
    place_.file("nci.csv", table);
    spec_ = place_.file("spec.toml", kKilledMatrix);
  }

  Outcome run(const std::string& out, const CommandOptions& options = {}) {
    return molgauge({"experiment", spec_, "--out", place_.path(out), "--store", place_.path("store"),
                     "--quiet", "--log-level", "warn"},
                    options);
  }

  /// The record of finished runs: a run has a cell.json if and only if it is finished.
  std::map<std::string, FileIdentity> finished(const std::string& out) const {
    std::map<std::string, FileIdentity> files;
    std::error_code vanished;  // folders are created and removed while a matrix runs
    fs::recursive_directory_iterator entry(fs::path(place_.path(out)) / "runs", vanished);
    for (; !vanished && entry != fs::recursive_directory_iterator(); entry.increment(vanished)) {
      if (entry->path().filename() == "cell.json") {
        files.emplace(entry->path().string(), FileIdentity(entry->path()));
      }
    }
    return files;
  }

  Workplace place_;
  std::string spec_;
};

TEST_F(KilledMatrix, EndsWithTheSameTableAndRunsNothingTwice) {
  ASSERT_EQ(run("undisturbed").exit_code, 0);
  std::mt19937 random(60);
  std::map<std::string, FileIdentity> tracker;
  std::size_t completions = 0, kills_between = 0;
  for (int i = 0; i < kKills; ++i) {
    const std::size_t finished_then = tracker.size() + 1 + random() % 3;
    const std::chrono::milliseconds later(random() % 20);
    CommandOptions options;
    options.kill_when = [&] {
      const bool now = finished("killed").size() >= finished_then;
      std::this_thread::sleep_for(now ? later : std::chrono::milliseconds(0));
      return now;
    };
    const Outcome outcome = run("killed", options);
    const auto now = finished("killed");
    EXPECT_TRUE(outcome.signal == SIGKILL || now.size() == kRuns) << outcome.err;
    for (const auto& [file, identity] : tracker) {
      EXPECT_TRUE(now.contains(file) && now.at(file) == identity) << file << " was computed again";
    }
    completions += now.size() - tracker.size();
    kills_between += now.size() > tracker.size() && now.size() < kRuns ? 1 : 0;
    tracker = now;
  }
  EXPECT_GE(kills_between, 3U) << "too few kills fell between runs to prove anything";

  const Outcome last = run("killed");
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_THAT(last.out, HasSubstr(std::to_string(kRuns - completions) + " computed now, 0 failed"));
  const auto end = finished("killed");
  EXPECT_EQ(end.size(), kRuns);
  for (const auto& [file, identity] : tracker) {
    EXPECT_TRUE(end.at(file) == identity) << file << " was computed again";
  }
  EXPECT_EQ(read_file(place_.path("killed/cells.csv")), read_file(place_.path("undisturbed/cells.csv")));
}

}  // namespace
}  // namespace molgauge::test
