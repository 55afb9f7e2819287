// Tests training.log, baseline.log and experiment.log. They contain the terminal output, and also messages
// that the terminal did not show.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A benchmark in which the first molecule of a part is invalid.
std::string damaged_benchmark(const Workplace& place, const std::string& part = "\"ood_val\"") {
  const std::string benchmark = place.path("b.json");
  EXPECT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  std::string text = read_file(benchmark);
  const std::string key = "\"smiles\":\"";
  const std::size_t start = text.find(key, text.find(part)) + key.size();
  text.replace(start, text.find('"', start) - start, "C1CC");
  replace_file(benchmark, text);
  return benchmark;
}

TEST(TrainingLog, HoldsFailedMoleculesAndWhatCameBeforeTheTraining) {
  Workplace place;
  const std::string benchmark = damaged_benchmark(place), run = place.path("run");
  const Outcome outcome = place.train(benchmark, run, {"--epochs", "2", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("'C1CC'"));
  const std::string log = read_file(run + "/training.log");
  EXPECT_THAT(log, HasSubstr("fewer molecules than requested"));  // this was printed while the benchmark was
                                                                  // read
  EXPECT_THAT(log, HasSubstr("- warning - " + benchmark + ":"));
  EXPECT_THAT(log, HasSubstr("'C1CC': "));
  EXPECT_THAT(log, HasSubstr("epoch 2/2"));
  EXPECT_THAT(read_file(run + "/failed.csv"), HasSubstr("C1CC,"));
}

TEST(TrainingLog, HoldsTheErrorThatEndedIt) {
  Workplace place;
  const std::string benchmark = place.path("b.json"), run = place.path("run");
  ASSERT_EQ(place.split(place.nci_molecules(300), benchmark).exit_code, 0);
  const Outcome outcome = place.train(benchmark, run, {"--epochs", "2", "--memory-budget", "1MiB"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_THAT(read_file(run + "/training.log"), HasSubstr("- error - "));
}

TEST(TrainingLog, IsNotLeftBehindByWhatIsRefused) {
  Workplace place;
  EXPECT_EQ(place.train(place.file("b.json", "{}"), place.path("run")).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(place.path("run")));
}

class BaselineLog : public testing::Test {
 protected:
  Outcome baseline(const std::string& benchmark, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"baseline", benchmark,   "--run", run_,      "--method",          "msp",
                                      "--quiet",  "--encoder", "ecfp",  "--store", place_.path("store")};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  std::string log() const { return read_file(run_ + "/baseline.log"); }

  Workplace place_;
  std::string run_ = place_.path("run");
};

TEST_F(BaselineLog, HoldsFailedMoleculesAndWarnings) {
  const std::string benchmark = damaged_benchmark(place_, "\"ood_test\"");
  // One molecule in thirty belongs to the other class. A classifier that ignores this class is nearly
  // perfect.
  nlohmann::json content = nlohmann::json::parse(read_file(benchmark));
  for (auto& part : content["split"]) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i]["cls_label"] = i % 30 == 1 ? 1 : 0;
    }
  }
  replace_file(benchmark, content.dump());
  const Outcome outcome = baseline(benchmark, {"--epochs", "2", "--log-level", "error"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("warning")));
  EXPECT_THAT(log(), HasSubstr("- warning - " + benchmark + ":"));
  EXPECT_THAT(log(), HasSubstr("'C1CC': "));
  EXPECT_THAT(
      log(),
      HasSubstr(
          "- warning - the supervised classifier predicts the same label for every validation molecule"));
  EXPECT_THAT(log(), HasSubstr("- info - msp: AUROC"));
  EXPECT_THAT(read_file(run_ + "/failed.csv"), HasSubstr("C1CC,"));
}

TEST_F(BaselineLog, HoldsTheErrorThatEndedIt) {
  const std::string benchmark = place_.path("b.json");
  ASSERT_EQ(place_.split(place_.nci_molecules(300), benchmark).exit_code, 0);
  place_.label_alternately(benchmark);
  const Outcome outcome = baseline(benchmark, {"--memory-budget", "1MiB"});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_THAT(log(), HasSubstr("- error - "));
}

TEST_F(BaselineLog, IsNotLeftBehindByWhatIsRefused) {
  EXPECT_EQ(baseline(place_.file("b.json", "{}"), {}).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(run_));
}

constexpr const char* kSpec = R"([matrix]
encoders = ["ecfp"]
seeds = [1]
data-seeds = [1, 2]

[training]
epochs = 2

[[benchmark]]
name = "nci"
file = "b.json"

[[method]]
name = "energy"
)";

class MatrixLog : public testing::Test {
 protected:
  Outcome experiment(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {
        "experiment", place_.file("spec.toml", spec_), "--out", matrix_, "--store", place_.path("store"),
        "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  }
  std::string log() const { return read_file(matrix_ + "/experiment.log"); }

  Workplace place_;
  std::string matrix_ = place_.path("matrix"), spec_ = kSpec;
};

TEST_F(MatrixLog, HoldsFailedMoleculesOnceForAllRuns) {
  const std::string benchmark = damaged_benchmark(place_), failed = matrix_ + "/failed.csv";
  const Outcome outcome = experiment();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(log(), HasSubstr("- warning - " + benchmark + ":"));
  EXPECT_THAT(log(), HasSubstr("'C1CC': "));
  const std::string text = read_file(failed);
  EXPECT_THAT(text, testing::StartsWith("file,line,input,reason\n" + benchmark + ","));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << "drawn for two data seeds: " << text;
  ASSERT_EQ(place_.split(place_.nci_molecules(300), benchmark).exit_code, 0);
  EXPECT_EQ(experiment().exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(failed)) << "of an earlier call";
}

TEST_F(MatrixLog, HoldsTheErrorsOfRunsAndOfTheWhole) {
  ASSERT_EQ(place_.split(place_.nci_molecules(300), place_.path("b.json")).exit_code, 0);
  EXPECT_EQ(experiment({"--memory-budget", "1MiB"}).exit_code, 4);
  EXPECT_THAT(log(), HasSubstr("- error - "));
  // If a file is in the place of the folder of a run, only this run fails.
  place_.file("matrix/runs", "no folder");
  EXPECT_EQ(experiment().exit_code, 1);
  EXPECT_THAT(log(), HasSubstr("- error - " + matrix_ + "/runs"));
}

TEST_F(MatrixLog, IsNotLeftBehindByWhatIsRefused) {
  place_.file("b.json", "{}");
  EXPECT_EQ(experiment().exit_code, 3);
  EXPECT_EQ(experiment({"--plan-only"}).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(matrix_ + "/experiment.log"));
}

}  // namespace
}  // namespace molgauge::test
