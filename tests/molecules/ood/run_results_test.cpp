#include "molecules/ood/run/run_results.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

PhaseReport phase(const char* name, double seconds, std::uint64_t host, std::uint64_t device) {
  PhaseReport report;
  report.phase = name;
  report.seconds = seconds;
  report.peak_host_memory_bytes = host;
  report.peak_device_memory_bytes = device;
  return report;
}

memory::RunCost cost() {
  memory::RunCost cost;
  cost.device = "cuda:0";
  cost.phases = {phase("encoding", 3, 100, 1ULL << 31), phase("train", 2, 200, 1ULL << 30),
                 phase("eval", 1, 50, 1ULL << 29)};
  cost.batch_size_planned = 64;
  cost.batch_size_used = 32;
  cost.oom_recoveries = 1;
  return cost;
}

TEST(RunResults, TrainingStatsHaveBothKindsOfNames) {
  const test::TemporaryFolder run;
  write_training_stats(run.path(), {7, 3, 0.9, true, false, 12.5, 1.5}, cost());
  const auto stats = nlohmann::json::parse(read_file(run / "training_stats.json"));
  EXPECT_EQ(stats["train_time_seconds"], 12.5);
  EXPECT_EQ(stats["avg_epoch_time_seconds"], 1.5);
  EXPECT_EQ(stats["peak_gpu_memory_train_gb"], 1.0);
  EXPECT_EQ(stats["peak_gpu_memory_encoding_gb"], 2.0);
  EXPECT_EQ(stats["peak_device_memory_bytes"]["train"], 1U << 30);
  EXPECT_EQ(stats["peak_host_memory_bytes"]["encoding"], 100);
  EXPECT_EQ(stats["epochs_run"], 7);
  EXPECT_EQ(stats["best_epoch"], 3);
  EXPECT_EQ(stats["stopped_early"], true);
  EXPECT_EQ(stats["batch_size_used"], 32);
  EXPECT_EQ(stats["oom_recoveries"], 1);
}

TEST(RunResults, EvaluationSaysWhatWasSharedWithTheTraining) {
  const test::TemporaryFolder run;
  Evaluation evaluation;
  const auto metrics = [&] {
    write_evaluation(run.path(), evaluation, cost());
    return nlohmann::json::parse(read_file(run / "test_metrics.json"));
  };
  EXPECT_EQ(metrics()["shared_molecules"], 0);
  EXPECT_EQ(metrics()["overlap_accepted"], false);
  evaluation.shared_molecules = 36;
  evaluation.overlap_accepted = true;
  EXPECT_EQ(metrics()["shared_molecules"], 36);
  EXPECT_EQ(metrics()["overlap_accepted"], true);
  evaluation.shared_molecules = std::nullopt;
  EXPECT_TRUE(metrics()["shared_molecules"].is_null()) << "unknown";
}

TEST(RunResults, WithoutPhasesThePeaksAreZero) {
  const test::TemporaryFolder run;
  write_training_stats(run.path(), {}, {});
  EXPECT_EQ(nlohmann::json::parse(read_file(run / "training_stats.json"))["peak_gpu_memory_train_gb"], 0.0);
}

TEST(RunResults, EvaluationHasAllFieldsAndEveryScore) {
  const test::TemporaryFolder run;
  const EnergyHead head(4, 2, 1);
  Evaluation evaluation = evaluate_head(head, at::randn({5, 4}), at::randn({3, 4}), 2);
  evaluation.id_smiles = {"C", "CC", "CCC |a,b|", "CCCC", "CCCCC"};
  evaluation.ood_smiles = {"N", "NN", "O"};
  write_evaluation(run.path(), evaluation, cost());
  const std::string text = read_file(run / "ood_evaluation_results.json");
  EXPECT_EQ(text, read_file(run / "test_metrics.json"));
  const auto fields = nlohmann::json::parse(text);
  for (const char* name :
       {"auroc", "aupr", "fpr95", "id_mean_energy", "ood_mean_energy", "energy_separation", "id_std_energy",
        "ood_std_energy", "eval_time_seconds", "peak_gpu_memory_eval_gb"}) {
    EXPECT_TRUE(fields[name].is_number()) << name;
  }
  EXPECT_EQ(fields["id_count"], 5);
  EXPECT_EQ(fields["ood_count"], 3);
  EXPECT_EQ(fields["peak_gpu_memory_eval_gb"], 0.5);
  const std::string csv = read_file(run / "detailed_predictions.csv");
  EXPECT_TRUE(csv.starts_with("score,true_label,sample_type,smiles\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);
  EXPECT_THAT(csv, testing::HasSubstr(",0,ID,\"CCC |a,b|\"\n"));
  EXPECT_THAT(csv, testing::EndsWith(",1,OOD,O\n"));
}

TEST(RunResults, SpreadsheetsComputeNothingOfPredictionsWhereAskedTo) {
  const test::TemporaryFolder run;
  Evaluation evaluation;
  evaluation.id_scores = {-1.5F};
  evaluation.id_smiles = {"=1+2"};
  evaluation.ood_scores = {0.5F};
  evaluation.ood_smiles = {"@SUM(A1,A2)"};
  write_evaluation(run.path(), evaluation, cost());
  EXPECT_EQ(read_file(run / "detailed_predictions.csv"),
            "score,true_label,sample_type,smiles\n-1.5,0,ID,=1+2\n0.5,1,OOD,\"@SUM(A1,A2)\"\n");
  write_evaluation(run.path(), evaluation, cost(), CsvTexts::spreadsheet_safe);
  EXPECT_EQ(read_file(run / "detailed_predictions.csv"),
            "score,true_label,sample_type,smiles\n-1.5,0,ID,'=1+2\n0.5,1,OOD,\"'@SUM(A1,A2)\"\n");
}

TEST(RunResults, AFailedRowHasNoEnergy) {
  const EnergyHead head(4, 2, 1);
  at::Tensor features = at::randn({5, 4});
  features[3].fill_(std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> scores = score_features(head, features, 2).energies;
  ASSERT_EQ(scores.size(), 5U);
  EXPECT_TRUE(std::isnan(scores[3]));
  EXPECT_FALSE(std::isnan(scores[2]));
  EXPECT_THROW(evaluate_head(head, features, features, 2), InputError);
}

TEST(RunResults, BestModelIsCheckedBeforeUse) {
  const test::TemporaryFolder run;
  EXPECT_THROW(load_best_model(run.path(), 4), InputError);
  io::write_safetensors(run / "best_model.safetensors", EnergyHead(4, 2, 1).weights().to_tensors());
  EXPECT_EQ(load_best_model(run.path(), 4).hidden_width(), 2);
  EXPECT_THROW(load_best_model(run.path(), 5), InputError);
  replace_file(run / "best_model.safetensors", "junk");
  EXPECT_THROW(load_best_model(run.path(), 4), InputError);
}

}  // namespace
}  // namespace molgauge::ood
