#include "molecules/baselines/run/baseline_run.h"

#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npz.h"
#include "molecules/baselines/run/request_options.h"
#include "support/fixtures.h"

namespace molgauge::baselines {
namespace {

class BaselineRunFolder : public testing::Test {
 protected:
  BaselineRunFolder() { request_.run = (folder_ / "run").string(); }
  BaselineRun open() const { return {request_, {"encoder", "data"}}; }
  BaselineResult finished() const {
    BaselineResult result;
    result.method = "msp";
    result.auroc = 0.75;
    result.id_count = 2;
    result.ood_count = 1;
    result.classifier_collapsed = true;
    return result;
  }
  static ood::Evaluation scores() {
    ood::Evaluation scores;
    scores.id_scores = {1, 2};
    scores.ood_scores = {3};
    scores.id_smiles = {"C", "CC"};
    scores.ood_smiles = {"CCO"};
    return scores;
  }
  test::TemporaryFolder folder_;
  BaselineRequest request_;
};

TEST_F(BaselineRunFolder, KeepsResultsAndScores) {
  open().store(finished(), MetricVariant::evaluation, scores());
  const auto result = open().result("msp");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->auroc, 0.75);
  EXPECT_TRUE(result->classifier_collapsed);
  EXPECT_TRUE(result->resumed);
  EXPECT_FALSE(open().result("odin"));
  EXPECT_EQ(io::read_npz(folder_ / "run/msp_scores.npz", "ood_scores").to_float32(), std::vector<float>{3});
  EXPECT_THAT(read_file(folder_ / "run/msp_predictions.csv"), testing::EndsWith("\n3,1,OOD,CCO\n"));
}

/// The configuration decides whether a folder can be resumed, so it must not change by accident.
TEST_F(BaselineRunFolder, HasThisConfig) {
  request_.benchmark = "b.json";
  request_.encoder = "ecfp";
  request_.train_size = 9;
  open();
  EXPECT_EQ(read_file(folder_ / "run/config.json"), R"({
  "data_file": "b.json",
  "foundation_model": "ecfp",
  "encoder_identity": "encoder",
  "data_identity": "data",
  "labels": "auto",
  "hidden_channels": 64,
  "num_layers": 3,
  "dropout": 0.5,
  "lr": 0.01,
  "weight_decay": 0.0005,
  "epochs": 200,
  "batch_size": 32,
  "patience": 20,
  "T": 10.0,
  "noise": 0.0014,
  "knn_k": 50,
  "lof_neighbors": 20,
  "mc_dropout_samples": 20,
  "mc_dropout_metric": "entropy",
  "dam_lr": 0.1,
  "dam_margin": 1.0,
  "calibration": "held-out",
  "metrics": "evaluation",
  "seed": 42,
  "data_seed": 42,
  "features": "native",
  "dataset_type": "auto",
  "train_size": 9,
  "val_size": null,
  "test_size": null,
  "debug_dataset_size": 0,
  "held_out_seed": 0,
  "conformer_fallback": "",
  "conformer_engine": "",
  "max_atoms": null,
  "precision": "",
  "allow_overlap": false,
  "random_weights": false,
  "shared_molecules": 0
}
)");
}

TEST_F(BaselineRunFolder, OfMeasuredValuesLeavesOutWhatNeedsPositives) {
  request_.labels = LabelChoice::value;
  EXPECT_THAT(methods_of(request_), testing::Not(testing::Contains("dam_msp")));
  EXPECT_THAT(methods_of(request_), testing::Contains("knn"));
  request_.method = "dam_energy";
  EXPECT_THROW(methods_of(request_), UsageError);
}

TEST_F(BaselineRunFolder, KeepsClassifiers) {
  const Classifier classifier({.inputs = 3, .hidden = 4, .layers = 3, .outputs = 2}, 1);
  ClassifierReport report;
  report.selection = "accuracy";
  report.collapsed = true;
  report.oom_recoveries = 3;
  open().store(ObjectiveKind::supervised, classifier, report);
  const auto stored = open().classifier(ObjectiveKind::supervised);
  ASSERT_TRUE(stored);
  EXPECT_TRUE(at::equal(stored->classifier.parameters().all, classifier.parameters().all));
  EXPECT_TRUE(stored->report.collapsed);
  EXPECT_EQ(stored->report.oom_recoveries, 3U);
  EXPECT_FALSE(open().classifier(ObjectiveKind::auc_margin));
}

TEST_F(BaselineRunFolder, NamesTheOptionThatDiffers) {
  open();
  request_.knn_k = 7;
  try {
    open();
    FAIL() << "another run was continued";
  } catch (const InputError& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("knn_k 50, not 7"));
  }
  request_.knn_k = 50;
  EXPECT_THROW(BaselineRun(request_, {"encoder", "other"}), InputError);
}

TEST_F(BaselineRunFolder, RecordsAnAcceptedOverlap) {
  request_.allow_overlap = true;
  const BaselineRun run(request_, {"encoder", "data", 3});
  BaselineResult result = finished();
  result.shared_molecules = 3;
  result.overlap_accepted = true;
  run.store(result, MetricVariant::evaluation, scores());
  EXPECT_THAT(read_file(folder_ / "run/config.json"), testing::HasSubstr("\"shared_molecules\": 3"));
  EXPECT_EQ(run.result("msp")->shared_molecules, 3U);
  EXPECT_TRUE(run.result("msp")->overlap_accepted);
}

TEST_F(BaselineRunFolder, BeginsAnew) {
  open().store(finished(), MetricVariant::evaluation, scores());
  request_.resume = false;
  request_.knn_k = 7;
  EXPECT_FALSE(open().result("msp"));
}

/// If a restart is interrupted, the folder still names the run to which its files belong.
TEST_F(BaselineRunFolder, KeepsItsConfigUntilTheRestIsGone) {
  open().store(finished(), MetricVariant::evaluation, scores());
  std::filesystem::create_directories(folder_ / "run/knn_scores.npz/in-the-way");
  request_.resume = false;
  request_.knn_k = 7;
  EXPECT_ANY_THROW(open());
  request_.resume = true;
  EXPECT_THROW(open(), InputError);
  std::filesystem::remove_all(folder_ / "run/knn_scores.npz");
  request_.knn_k = 50;
  EXPECT_FALSE(open().result("msp"));
}

TEST_F(BaselineRunFolder, SaysWhenAFileIsDamaged) {
  open().store(finished(), MetricVariant::evaluation, scores());
  replace_file(folder_ / "run/msp_results.json", "{\"method\": 3}");
  EXPECT_THROW(open().result("msp"), InputError);
  replace_file(folder_ / "run/classifier.safetensors", "nothing");
  EXPECT_THROW(open().classifier(ObjectiveKind::supervised), InputError);
}

}  // namespace
}  // namespace molgauge::baselines
