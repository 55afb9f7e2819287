#include "molecules/experiments/matrix/matrix.h"

#include <atomic>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/cancellation.h"
#include "support/fixtures.h"

namespace molgauge::matrix {
namespace {

std::vector<Cell> five_cells() {
  std::vector<Cell> cells;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    cells.push_back({"nci", "ecfp", "dpo", "energy-head", {}, {}, seed, 42});
  }
  return cells;
}

/// A runner that uses the seed of a cell as its AUROC. It counts its runs. The test tells it when to fail and
/// when to request a stop.
class FakeRunner : public CellRunner {
 public:
  void prepare(const std::vector<Cell>& cells, std::size_t jobs) override {
    prepared = cells.size();
    jobs_prepared = jobs;
  }
  std::string identity(const Cell& cell) override { return version + std::to_string(cell.seed); }
  CellResult run(const Cell& cell, const std::filesystem::path& folder) override {
    ++runs;
    if (cell.seed == failing) {
      throw InputError("no luck");
    }
    if (cell.seed == too_large) {
      throw Error("does not fit", ExitCode::over_budget);
    }
    if (cell.seed == stopping) {
      request_cancellation();
      throw Interrupted();
    }
    std::ofstream(folder / "left-over") << "work";
    CellResult result;
    result.auroc = static_cast<double>(cell.seed) / 10;
    return result;
  }

  std::atomic<int> runs{0};
  std::size_t prepared = 99, jobs_prepared = 99;
  std::uint64_t failing = 99, too_large = 99, stopping = 99;
  std::string version = "1-";
};

class MatrixTest : public testing::Test {
 protected:
  ~MatrixTest() override { request_cancellation(false); }
  std::vector<CellOutcome> run() {
    return run_matrix(five_cells(), runner_, {.folder = folder_.path(), .jobs = 2, .quiet = true});
  }
  test::TemporaryFolder folder_;
  FakeRunner runner_;
};

TEST_F(MatrixTest, WritesThePlanBeforeTheFirstRun) {
  runner_.stopping = 0;
  EXPECT_THROW(run(), Interrupted);
  const auto row = [](const std::string& seed) {
    return "nci,ecfp,dpo,energy-head,," + seed + ",42," + identity_mark("1-" + seed) + "\n";
  };
  EXPECT_TRUE(read_file(folder_ / "plan.csv")
                  .starts_with("benchmark,encoder,method,kind,options,seed,data_seed,identity\n" + row("0") +
                               row("1")));
}

TEST_F(MatrixTest, RunsEveryCellOnceAndKeepsTheirOrder) {
  const auto outcomes = run();
  ASSERT_EQ(outcomes.size(), 5U);
  EXPECT_EQ(runner_.runs, 5);
  EXPECT_EQ(outcomes[3].ended.result->auroc, 0.3);
  EXPECT_FALSE(outcomes[3].found);
}

TEST_F(MatrixTest, FindsFinishedCells) {
  run();
  const auto outcomes = run();
  EXPECT_EQ(runner_.runs, 5);
  EXPECT_TRUE(outcomes[3].found);
  EXPECT_EQ(outcomes[3].ended.result->auroc, 0.3);
}

TEST_F(MatrixTest, ComputesAChangedCellAnewInACleanFolder) {
  run();
  runner_.version = "2-";
  const auto place = folder_.path() / five_cells()[0].folder() / "checkpoint-of-old";
  std::ofstream(place) << "old";
  run();
  EXPECT_EQ(runner_.runs, 10);
  EXPECT_FALSE(std::filesystem::exists(place));
}

TEST_F(MatrixTest, RecordsAFailureAndTriesAgain) {
  runner_.failing = 2;
  const auto outcomes = run();
  EXPECT_EQ(outcomes[2].ended.error, "no luck");
  EXPECT_FALSE(outcomes[2].ended.result);
  EXPECT_TRUE(outcomes[4].ended.result);
  runner_.failing = 99;
  EXPECT_TRUE(run()[2].ended.result);
  EXPECT_EQ(runner_.runs, 6);
}

TEST_F(MatrixTest, TellsWhatDoesNotFitTheBudgetFromOtherFailures) {
  runner_.failing = 1;
  runner_.too_large = 2;
  const auto outcomes = run();
  EXPECT_FALSE(outcomes[1].ended.over_budget);
  EXPECT_TRUE(outcomes[2].ended.over_budget);
  EXPECT_FALSE(outcomes[3].ended.over_budget);
}

TEST_F(MatrixTest, StopsWhenAskedAndKeepsWhatIsFinished) {
  runner_.stopping = 3;
  EXPECT_THROW(run(), Interrupted);
  request_cancellation(false);
  const int before = runner_.runs;
  runner_.stopping = 99;
  run();
  EXPECT_GE(before, 4);
  EXPECT_LE(runner_.runs - before, 2) << "at most the interrupted cell and one that had not started";
}

TEST_F(MatrixTest, PreparesForWhatIsMissingAlone) {
  runner_.failing = 3;
  run();
  EXPECT_EQ(runner_.prepared, 5U);
  EXPECT_EQ(runner_.jobs_prepared, 2U);
  run();
  EXPECT_EQ(runner_.prepared, 1U);
  EXPECT_EQ(runner_.jobs_prepared, 1U);
}

TEST_F(MatrixTest, ComputesADamagedResultAnew) {
  run();
  std::ofstream(folder_.path() / five_cells()[1].folder() / "cell.json") << "{ \"identity\": ";
  EXPECT_EQ(run()[1].ended.result->auroc, 0.1);
  EXPECT_EQ(runner_.runs, 6);
}

}  // namespace
}  // namespace molgauge::matrix
