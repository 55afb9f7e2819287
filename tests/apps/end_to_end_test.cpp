// Tests the main workflow of a user, from SMILES to scores.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

nlohmann::json json_file(const std::string& path) { return nlohmann::json::parse(read_file(path)); }

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class EndToEnd : public testing::Test {
 protected:
  void train_on(std::size_t molecules) {
    const Outcome split = place_.split(place_.nci_molecules(molecules), benchmark_);
    ASSERT_EQ(split.exit_code, 0) << split.err;
    const Outcome train = place_.train(benchmark_, run_, {"--epochs", "6"});
    ASSERT_EQ(train.exit_code, 0) << train.err;
  }
  Workplace place_;
  std::string benchmark_ = place_.path("benchmark.json");
  std::string run_ = place_.path("run");
};

TEST_F(EndToEnd, TrainEvaluateAndScoreWriteTheirFiles) {
  train_on(600);
  for (const char* name : {"config.json", "training_stats.json", "training_dynamics.csv",
                           "best_model.safetensors", "checkpoints", "training.log"}) {
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(run_) / name)) << name;
  }
  const auto stats = json_file(run_ + "/training_stats.json");
  for (const char* key : {"train_time_seconds", "avg_epoch_time_seconds", "peak_gpu_memory_train_gb",
                          "peak_gpu_memory_encoding_gb", "device", "batch_size_used"}) {
    EXPECT_TRUE(stats.contains(key)) << key;
  }

  const Outcome evaluation = place_.evaluate(run_);
  ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
  EXPECT_THAT(evaluation.out, HasSubstr("AUROC"));
  const auto metrics = json_file(run_ + "/test_metrics.json");
  for (const char* key :
       {"auroc", "aupr", "fpr95", "energy_separation", "id_mean_energy", "ood_mean_energy", "id_std_energy",
        "ood_std_energy", "id_count", "ood_count", "eval_time_seconds", "peak_gpu_memory_eval_gb"}) {
    EXPECT_TRUE(metrics.contains(key)) << key;
  }
  EXPECT_GT(metrics["auroc"].get<double>(), 0.5);
  EXPECT_EQ(metrics, json_file(run_ + "/ood_evaluation_results.json"));
  const std::string predictions = read_file(run_ + "/detailed_predictions.csv");
  EXPECT_THAT(predictions, StartsWith("score,true_label,sample_type,smiles"));
  EXPECT_EQ(count_lines(predictions),
            1 + metrics["id_count"].get<std::size_t>() + metrics["ood_count"].get<std::size_t>());

  const Outcome score = place_.score(run_, place_.file("new.smi", "CCO\nnot-a-molecule\nc1ccccc1\n"));
  EXPECT_EQ(score.exit_code, 0) << score.err;
  EXPECT_THAT(score.out,
              StartsWith("line,smiles,name,energy_score,ood_prediction,resembles_training_ood\n1,CCO,,"));
  EXPECT_THAT(score.out, HasSubstr("2,not-a-molecule,,,,\n"));
  EXPECT_THAT(score.err, HasSubstr("new.smi:2"));
}

TEST_F(EndToEnd, AnotherBenchmarkIsTestedOnOnlyWhereItIsNamed) {
  train_on(300);
  replace_file(benchmark_, read_file(benchmark_) + "\n");
  const Outcome changed = place_.evaluate(run_);
  EXPECT_EQ(changed.exit_code, 3) << changed.err;
  EXPECT_THAT(changed.err, HasSubstr("--data"));
  EXPECT_EQ(place_.evaluate(run_, {"--data", benchmark_}).exit_code, 0);
}

TEST_F(EndToEnd, AnUnfinishedTrainingIsNamedAsSuch) {
  train_on(300);
  std::filesystem::remove(std::filesystem::path(run_) / "config.json");
  const Outcome evaluation = place_.evaluate(run_);
  EXPECT_EQ(evaluation.exit_code, 3) << evaluation.err;
  EXPECT_THAT(evaluation.err, HasSubstr("to resume it"));
}

TEST_F(EndToEnd, ScoresGoToACsvWithAThreshold) {
  train_on(300);
  const std::string out = place_.path("scores.csv");
  const Outcome score = place_.score(run_, place_.file("m.csv", "id,smiles\na,CCO\nb,CCN\n"),
                                     {"--out", out, "--threshold", "0"});
  ASSERT_EQ(score.exit_code, 0) << score.err;
  EXPECT_THAT(read_file(out), HasSubstr("energy_score"));
  EXPECT_THAT(read_file(out), HasSubstr("resembles_training_ood"));
}

TEST_F(EndToEnd, TheSameSeedGivesTheSameBytes) {
  train_on(300);
  const std::string again = place_.path("again");
  ASSERT_EQ(place_.train(benchmark_, again, {"--epochs", "6", "--threads", "1"}).exit_code, 0);
  EXPECT_EQ(read_file(run_ + "/best_model.safetensors"), read_file(again + "/best_model.safetensors"));
  EXPECT_EQ(read_file(run_ + "/training_dynamics.csv"), read_file(again + "/training_dynamics.csv"));
}

TEST_F(EndToEnd, ARunOfOtherOptionsIsNotContinued) {
  train_on(300);
  const Outcome other = place_.train(benchmark_, run_, {"--epochs", "6", "--lr", "0.01"});
  EXPECT_EQ(other.exit_code, 3) << other.err;
  EXPECT_THAT(other.err, HasSubstr("--restart"));
  EXPECT_EQ(place_.train(benchmark_, run_, {"--epochs", "6", "--lr", "0.01", "--restart"}).exit_code, 0);
}

TEST_F(EndToEnd, ASecondEncodeFindsEverything) {
  const std::string molecules = place_.nci_molecules(100);
  ASSERT_EQ(place_.encode(molecules, {"--out", place_.path("first.npy")}).exit_code, 0);
  const Outcome second = place_.encode(molecules, {"--out", place_.path("second.npy")});
  EXPECT_THAT(second.out, HasSubstr("100 records: 0 encoded now"));
  EXPECT_EQ(read_file(place_.path("first.npy")), read_file(place_.path("second.npy")));
}

TEST_F(EndToEnd, MoleculesComeFromStdin) {
  CommandOptions options;
  options.stdin_text = "CCO\nCCN\n";
  const Outcome outcome = place_.encode("-", {"--out", place_.path("f.npy")}, options);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("2 records"));
  EXPECT_THAT(outcome.err,
              testing::ContainsRegex("busiest stage: .*featurise [0-9.]+ %, pack .*write [0-9.]+ %"));
}

TEST_F(EndToEnd, StoreVerbs) {
  ASSERT_EQ(place_.encode(place_.nci_molecules(50)).exit_code, 0);
  const std::string store = place_.path("store");
  EXPECT_THAT(molgauge({"store", "info", "--store", store}).out, HasSubstr("ecfp"));
  EXPECT_THAT(molgauge({"store", "verify", "--store", store}).out, HasSubstr("50 rows, 0 damaged"));
  for (const char* name : {"rows.npy", "rows.safetensors", "rows.h5"}) {
    EXPECT_EQ(molgauge({"store", "export", "--store", store, "--out", place_.path(name)}).exit_code, 0)
        << name;
    EXPECT_GT(std::filesystem::file_size(place_.path(name)), 50 * 512 * 4U);
  }
}

}  // namespace
}  // namespace molgauge::test
