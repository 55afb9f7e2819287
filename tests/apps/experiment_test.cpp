// Tests matrices of runs that are changed, continued or invalid.

#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_lock.h"
#include "support/instrumented.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSpec = R"([matrix]
encoders = ["ecfp"]
seeds = [1, 2]

[training]
epochs = 4
batch-size = 64

[[benchmark]]
name = "nci-size"
molecules = "nci.smi"
domain = "size"
algorithm = "drugood"

[[method]]
name = "energy"
loss = ["dpo", "hinge"]
lambda-reg = [0.01, 0.1]
)";

class ExperimentTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::rename(place_.nci_molecules(300), place_.path("nci.smi"));
    spec_ = place_.file("spec.toml", kSpec);
  }

  Outcome run(const std::string& out, const CommandOptions& options = {}) {
    return molgauge({"experiment", spec_, "--out", place_.path(out), "--store", place_.path("store"),
                     "--quiet", "--log-level", "warn"},
                    options);
  }

  void change_spec(const std::string& old_text, const std::string& new_text) {
    std::string text = kSpec;
    text.replace(text.find(old_text), old_text.size(), new_text);
    place_.file("spec.toml", text);
  }

  Workplace place_;
  std::string spec_;
};

TEST_F(ExperimentTest, ComputesWhatChangedAndNothingElse) {
  const Outcome first = run("matrix");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("8 runs, 8 computed now, 0 failed"));
  EXPECT_THAT(run("matrix").out, HasSubstr("8 runs, 0 computed now"));
  change_spec("[1, 2]", "[1, 2, 3]");
  EXPECT_THAT(run("matrix").out, HasSubstr("12 runs, 4 computed now"));
  change_spec("epochs = 4", "epochs = 3");
  EXPECT_THAT(run("matrix").out, HasSubstr("8 runs, 8 computed now"));
}

TEST_F(ExperimentTest, ItsRunsAreRunFolders) {
  ASSERT_EQ(run("matrix").exit_code, 0);
  const std::string folder =
      place_.path("matrix/runs/ecfp/nci-size/energy,lambda-reg=0.1,loss=dpo/seed_2_data_42");
  const Outcome scores = place_.score(folder, place_.file("new.smi", "CCO\nc1ccccc1\n"));
  EXPECT_EQ(scores.exit_code, 0) << scores.err;
  EXPECT_THAT(scores.out, HasSubstr("c1ccccc1"));
}

/// The run of a baseline keeps its classifier and detector. `score` gives the test molecules the same scores
/// as the run.
TEST_F(ExperimentTest, RunsOfBaselinesScoreNewMolecules) {
  std::filesystem::rename(place_.nci_table(300), place_.path("nci.csv"));
  place_.file("spec.toml", R"([matrix]
encoders = ["ecfp"]

[classifier]
epochs = 3

[[benchmark]]
name = "nci-size"
molecules = "nci.csv"
label-column = "odd"
domain = "size"
algorithm = "drugood"

[[method]]
name = "nearest"
kind = "knn"

[[method]]
name = "softmax"
kind = "dam_msp"
)");
  const Outcome outcome = run("matrix");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* const method : {"nearest", "softmax"}) {
    SCOPED_TRACE(method);
    const std::string folder =
        place_.path(std::string("matrix/runs/ecfp/nci-size/") + method + "/seed_38_data_42");
    std::istringstream predictions(read_file(folder + "/detailed_predictions.csv"));
    std::string line, molecules;
    std::vector<double> expected;
    std::getline(predictions, line);
    while (std::getline(predictions, line)) {
      expected.push_back(std::stod(line.substr(0, line.find(','))));
      molecules += line.substr(line.rfind(',') + 1) + "\n";
    }
    ASSERT_FALSE(expected.empty());
    const Outcome scored = place_.score(folder, place_.file("again.smi", molecules), {"--format", "csv"});
    ASSERT_EQ(scored.exit_code, 0) << scored.err;
    EXPECT_THAT(scored.err, HasSubstr("held-out molecules"));
    std::istringstream scores(scored.out);
    std::getline(scores, line);
    for (const double own : expected) {
      ASSERT_TRUE(std::getline(scores, line));
      std::istringstream cells(line);
      std::string cell;
      for (int i = 0; i < 4; ++i) {
        std::getline(cells, cell, ',');
      }
      EXPECT_NEAR(std::stod(cell), own, 1e-6 * std::max(1.0, std::abs(own)));
    }
  }
}

TEST_F(ExperimentTest, WrongSpecificationsFailBeforeAnythingIsComputed) {
  change_spec("loss = [\"dpo\", \"hinge\"]", "loss = [\"dpo\", \"hings\"]");
  Outcome outcome = run("matrix");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("spec.toml:17: 'loss' takes dpo, bce, mse, hinge, not hings"));
  change_spec("lambda-reg", "hinge-margin");  // this option is not available with dpo
  outcome = run("matrix");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("hinge-margin"));
  change_spec("domain = \"size\"", "label-column = \"active\"");  // .smi files have no columns
  outcome = run("matrix");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("spec.toml:9: benchmark 'nci-size'"));
  change_spec("encoders = [\"ecfp\"]", "encoders = [\"ecfg\"]");
  outcome = run("matrix");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("ecfg"));
  EXPECT_FALSE(std::filesystem::exists(place_.path("matrix/runs")));
}

TEST_F(ExperimentTest, ComparesEnergyHeadsWithBaselines) {
  change_spec("domain = \"size\"\nalgorithm = \"drugood\"",
              "label-column = \"odd\"\nalgorithm = \"drugood\"");
  std::string text = read_file(spec_);
  text.replace(text.find("nci.smi"), 7, "nci.csv");
  for (const char* kind : {"msp", "odin", "energy", "mahalanobis", "knn", "lof", "mc_dropout", "conformal",
                           "dam_msp", "dam_energy"}) {
    text += std::string("\n[[method]]\nname = \"baseline-") + kind + "\"\nkind = \"" + kind + "\"\n";
  }
  text.replace(text.find("[[benchmark]]"), 0, "[classifier]\nepochs = 3\n\n");
  place_.file("spec.toml", text);
  std::filesystem::rename(place_.nci_table(300), place_.path("nci.csv"));
  const Outcome outcome = run("matrix");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("28 runs, 28 computed now, 0 failed"));
  EXPECT_THAT(outcome.out, HasSubstr("baseline-dam_energy"));
  EXPECT_TRUE(std::filesystem::exists(
      place_.path("matrix/runs/ecfp/nci-size/baseline-knn/seed_1_data_42/knn_scores.npz")));
}

/// Parallel runs share one process and one budget.
TEST_F(ExperimentTest, KeepsToItsBudget) {
  const auto run_within = [&](const std::string& budget) {
    return molgauge({"experiment", spec_, "--out", place_.path("matrix"), "--store", place_.path("store"),
                     "--jobs", "4", "--memory-budget", budget, "--quiet"});
  };
  const Outcome refused = run_within("20MiB");
  EXPECT_EQ(refused.exit_code, 4) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(place_.path("matrix/runs")));
  if (is_instrumented()) {
    GTEST_SKIP() << "a sanitizer needs more than this budget";
  }
  const Outcome done = run_within("500MiB");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("8 runs, 8 computed now, 0 failed"));
  const auto stats = nlohmann::json::parse(read_file(place_.path("matrix/matrix_stats.json")));
  EXPECT_GT(stats.at("planned_memory_bytes").at("runs"), 0U);
  EXPECT_LE(stats.at("planned_memory_bytes").at("runs"), 500U << 20U);
  const std::string cell =
      place_.path("matrix/runs/ecfp/nci-size/energy,lambda-reg=0.1,loss=dpo/seed_2_data_42");
  const auto cell_stats = nlohmann::json::parse(read_file(cell + "/training_stats.json"));
  EXPECT_EQ(cell_stats.at("memory_plans").at(0).at("work"), "train an energy head");
}

/// Without dropout there are no masks, so the plan is smaller.
TEST_F(ExperimentTest, PlansHeadsWithAndWithoutDropoutApart) {
  change_spec("lambda-reg = [0.01, 0.1]", "dropout = [0, 0.5]");
  ASSERT_EQ(run("matrix").exit_code, 0);
  const auto planned = [&](const std::string& dropout) {
    const auto stats =
        nlohmann::json::parse(read_file(place_.path("matrix/runs/ecfp/nci-size/energy,dropout=" + dropout +
                                                    ",loss=dpo/seed_1_data_42/training_stats.json")));
    const auto& plan = stats.at("memory_plans").at(0);
    return plan.at("alternatives")
        .at(plan.at("chosen").get<std::size_t>())
        .at("projected_bytes")
        .get<std::size_t>();
  };
  EXPECT_LT(planned("0"), planned("0.5"));
}

/// Another process may be writing recipes, features or tables into the folder.
TEST_F(ExperimentTest, LeavesAFolderAloneThatAnotherProcessHolds) {
  std::filesystem::create_directories(place_.path("matrix"));
  const FolderLock lock(place_.path("matrix"));
  const Outcome outcome = run("matrix");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("another process"));
  for (const char* file : {"matrix/benchmarks", "matrix/status.json", "matrix/plan.csv", "store"}) {
    EXPECT_FALSE(std::filesystem::exists(place_.path(file))) << file;
  }
}

TEST_F(ExperimentTest, PlanOnlyCountsAndComputesNothing) {
  const Outcome outcome =
      molgauge({"experiment", spec_, "--out", place_.path("matrix"), "--plan-only", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("8 runs"));
  EXPECT_FALSE(std::filesystem::exists(place_.path("matrix/runs")));
}

}  // namespace
}  // namespace molgauge::test
