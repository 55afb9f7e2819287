// Trains a run in one working folder and evaluates it from another. Also evaluates it after the run folder
// was moved.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Changes the working folder of this process and of the commands that it starts.
class WorkingFolder {
 public:
  explicit WorkingFolder(const fs::path& folder) : before_(fs::current_path()) { fs::current_path(folder); }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path before_;
};

class MovedRun : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(place_.path("project/data"));
    const std::string molecules = place_.nci_molecules(400);
    ASSERT_EQ(
        place_.split(molecules, place_.path("project/data/b.json"), {"--algorithm", "drugood"}).exit_code, 0);
    const WorkingFolder inside(place_.path("project"));
    const Outcome trained = place_.train("data/b.json", "runs/r", {"--epochs", "1", "--quiet"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }

  Outcome evaluate_elsewhere(const std::string& run) const {
    const WorkingFolder elsewhere("/");
    return place_.evaluate(run, {"--quiet"});
  }

  const Workplace place_;
};

TEST_F(MovedRun, IsEvaluatedFromAnotherFolder) {
  const Outcome outcome = evaluate_elsewhere(place_.path("project/runs/r"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(MovedRun, IsEvaluatedIfItWasMovedTogetherWithItsBenchmark) {
  fs::rename(place_.path("project"), place_.path("archive"));
  const Outcome outcome = evaluate_elsewhere(place_.path("archive/runs/r"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(MovedRun, IsNotEvaluatedOnAnotherBenchmarkOfThatName) {
  std::ofstream(place_.path("project/data/b.json"), std::ios::app) << " ";
  const Outcome outcome = evaluate_elsewhere(place_.path("project/runs/r"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("b.json"));
}

/// The run names the benchmark. The command line does not.
TEST_F(MovedRun, KeepsItsBenchmarkFromTheMemoryTrace) {
  const std::string benchmark = place_.path("project/data/b.json"), before = read_file(benchmark);
  const Outcome outcome =
      place_.evaluate(place_.path("project/runs/r"), {"--quiet", "--memory-trace", benchmark});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("would replace " + benchmark));
  EXPECT_EQ(read_file(benchmark), before);
}

}  // namespace
}  // namespace molgauge::test
