// Trains the last layers of Uni-Mol together with a head, with `train` and in a matrix. Other verbs use the
// results.

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "small_unimol.h"

namespace molgauge::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(UnimolTraining, TunesTheLastLayersAndUsesThem) {
  engine().run(tuning("frozen", false));
  const TrainReport trained = engine().run(tuning("tuned"));
  EXPECT_EQ(trained.epochs_run, 3U);
  const auto config = nlohmann::json::parse(read_file(path("tuned/config.json")));
  EXPECT_EQ(config.at("finetune_encoder"), true);
  EXPECT_EQ(config.at("freeze_layers"), "0");
  EXPECT_EQ(config.at("encoder_lr"), 1e-3);
  const auto frozen = nlohmann::json::parse(read_file(path("frozen/config.json")));
  EXPECT_NE(config.at("encoder_identity"), frozen.at("encoder_identity")) << "separate features";
  const io::TensorMap best = io::read_safetensors(path("tuned/best_model.safetensors")).tensors;
  EXPECT_TRUE(best.contains("tuned_encoder.encoder.layers.1.fc1.weight"));
  EXPECT_FALSE(best.contains("tuned_encoder.encoder.layers.0.fc1.weight"));
  EXPECT_TRUE(best.contains("energy_head.fc1.weight"));

  engine().run(evaluation("tuned"));
  const std::vector<float> tuned_scores = scores("tuned");
  EXPECT_NE(tuned_scores, scores("frozen"));
  EXPECT_EQ(tuned_scores, scores("tuned"));
  // The stored scores of held-out molecules equal the scores that the run computes for them.
  EXPECT_TRUE(std::filesystem::exists(path("tuned/validation_scores.safetensors")));
  std::size_t spaces = 0;
  for (const StoreDatabase& database : engine().run(StoreRequest{path("store")}).databases) {
    spaces += database.encoder == "unimol" ? 1 : 0;
  }
  EXPECT_EQ(spaces, 2U);

  // A run whose trained layers are lost must not use other layers.
  const std::string model = read_file(path("frozen/best_model.safetensors"));
  replace_file(path("tuned/best_model.safetensors"), model);
  EXPECT_THAT(refusal<InputError>([&] { engine().run(evaluation("tuned")); }),
              HasSubstr("tuned/best_model.safetensors"));
}

TEST_F(UnimolTraining, IsResumedToTheSameBytes) {
  TrainRequest request = tuning("whole");
  engine().run(request);
  request = tuning("parts");
  request.epochs = 1;
  engine().run(request);
  request.epochs = 3;
  EXPECT_TRUE(engine().run(request).resumed);
  EXPECT_EQ(read_file(path("whole/best_model.safetensors")), read_file(path("parts/best_model.safetensors")));
  request.encoder_lr = 1e-4;
  EXPECT_THAT(refusal<InputError>([&] { engine().run(request); }), HasSubstr("other options"));
  request = tuning("parts", false);
  EXPECT_THAT(refusal<InputError>([&] { engine().run(request); }), HasSubstr("trained with the head"));
}

TEST_F(UnimolTraining, AutocastRoundsAndStaysClose) {
  const TrainReport exact = engine().run(tuning("exact"));
  TrainRequest request = tuning("rounded");
  request.autocast = Autocast::bf16;
  const TrainReport rounded = engine().run(request);
  EXPECT_NE(read_file(path("exact/best_model.safetensors")),
            read_file(path("rounded/best_model.safetensors")));
  EXPECT_NEAR(rounded.best_auroc, exact.best_auroc, 0.05);
  request.run = path("parts");
  request.checkpoint_activations = Checkpointing::on;
  engine().run(request);
  EXPECT_EQ(read_file(path("parts/best_model.safetensors")),
            read_file(path("rounded/best_model.safetensors")));
}

TEST_F(UnimolTraining, IsPlannedAsItIsTrained) {
  const TrainRequest request = tuning("planned");
  const std::vector<MemoryPlan> plans = engine().run(PlanMemoryRequest{.work = request});
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[1].work, "train an energy head and encoder layers");
  ASSERT_TRUE(plans[1].chosen);
  engine().run(request);
  const auto stats = nlohmann::json::parse(read_file(path("planned/training_stats.json")));
  const auto& alternatives = stats.at("memory_plans").at(1).at("alternatives");
  ASSERT_EQ(alternatives.size(), plans[1].alternatives.size());
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    EXPECT_EQ(alternatives[i].at("projected_bytes"), plans[1].alternatives[i].projected_bytes) << i;
  }
}

TEST_F(UnimolTraining, RefusesWhatHasNoEffect) {
  const auto refused = [&](auto change, bool tune = true) {
    TrainRequest request = tuning("refused", tune);
    change(request);
    return refusal<UsageError>([&] { engine().run(request); });
  };
  using R = TrainRequest;
  EXPECT_THAT(refused([](R& r) { r.freeze_layers = "0-1"; }), HasSubstr("none can be trained"));
  EXPECT_THAT(refused([](R& r) { r.freeze_layers = "0-2"; }), HasSubstr("there is no layer 2"));
  EXPECT_THAT(refused([](R& r) { r.freeze_layers = "first"; }), HasSubstr("--freeze-layers 'first'"));
  EXPECT_THAT(refused([](R& r) { r.encoder = "ecfp"; }), HasSubstr("only the layers of unimol"));
  EXPECT_THAT(refused([](R& r) { r.encoder_lr = 1e-4; }, false), HasSubstr("encoder-lr has no effect"));
  EXPECT_THAT(refused([](R& r) { r.freeze_layers = "1"; }, false), HasSubstr("freeze-layers has no effect"));
  EXPECT_THAT(refused([](R& r) { r.autocast = Autocast::fp16; }), HasSubstr("fp16 needs a GPU"));
  EXPECT_THAT(refused([](R& r) { r.compute.precision = "int8"; }), HasSubstr("computes in fp32"));
  EXPECT_THAT(refused([](R& r) { r.features = "imported:mine"; }),
              HasSubstr("has no effect on imported features"));
  EXPECT_THAT(refused([](R& r) { r.seeds = 2; }), HasSubstr("--seeds has no effect"));
  EXPECT_THAT(refused([](R& r) { r.compute.random_weights = false; }), HasSubstr("--random-weights"));
  EXPECT_FALSE(std::filesystem::exists(path("refused/config.json")));
}

/// A matrix with two methods. The method tuned trains the last layer of the encoder, and the method frozen
/// does not.
class TunedMatrix : public UnimolTraining {
 protected:
  void SetUp() override {
    UnimolTraining::SetUp();
    std::string all = read_file(path("chains.csv")).substr(std::string("smiles\n").size());
    replace_file(path("all.smi"), all + read_file(path("rings.smi")));
    write_spec();
  }
  void write_spec(const std::string& encoders = R"("unimol")", const std::string& of_tuned = "") {
    replace_file(path("spec.toml"), "[matrix]\nencoders = [" + encoders + R"(]
seeds = [1, 2]
[training]
epochs = 2
batch-size = 8
hidden-dim = 16
[[benchmark]]
name = "atoms"
molecules = "all.smi"
domain = "size"
algorithm = "drugood"
[[method]]
name = "frozen"
[[method]]
name = "tuned"
finetune-encoder = true
freeze-layers = "0"
encoder-lr = 1e-3
)" + of_tuned);
  }
  ExperimentRequest experiment(const std::string& out) {
    ExperimentRequest request;
    request.spec = path("spec.toml");
    request.out = path(out);
    request.store = path("store");
    request.weights = path("weights");
    request.compute = tuning("").compute;
    return request;
  }
  static std::string cell(const std::string& method, int seed) {
    return "/runs/unimol/atoms/" + method + "/seed_" + std::to_string(seed) + "_data_42/";
  }
};

TEST_F(TunedMatrix, RunsAreThoseOfTrain) {
  const ExperimentReport report = engine().run(experiment("matrix"));
  EXPECT_EQ(report.runs, 4U);
  EXPECT_EQ(report.failed, 0U);
  ASSERT_EQ(report.rows.size(), 2U);
  for (const std::string method : {"tuned", "frozen"}) {
    TrainRequest request = tuning("alone-" + method, method == "tuned");
    request.ood = "";
    request.benchmark = path("matrix/benchmarks/atoms.json");
    request.seed = 2;
    request.epochs = 2;
    request.batch_size = 8;
    engine().run(request);
    const std::string run = path("matrix") + cell(method, 2), alone = request.run + "/";
    for (const char* const file :
         {"best_model.safetensors", "training_curve.csv", "validation_scores.safetensors"}) {
      EXPECT_EQ(read_file(run + file), read_file(alone + file)) << method << ' ' << file;
    }
    const EvaluateReport evaluation = engine().run(evaluation_of(alone));
    const auto results = nlohmann::json::parse(read_file(run + "ood_evaluation_results.json"));
    EXPECT_EQ(results.at("auroc"), evaluation.auroc) << method;
    EXPECT_EQ(results.at("id_mean_energy"), evaluation.id_mean_energy) << method;
    // Verbs can use the folder of the cell like the folder of any other run.
    EXPECT_EQ(engine().run(evaluation_of(run)).auroc, evaluation.auroc) << method;
  }
  EXPECT_NE(read_file(path("matrix") + cell("tuned", 1) + "best_model.safetensors"),
            read_file(path("matrix") + cell("tuned", 2) + "best_model.safetensors"));
  ReportRequest page;
  page.folder = path("matrix");
  engine().run(page);
  const std::string text = read_file(path("matrix/report.html"));
  EXPECT_THAT(text, AllOf(HasSubstr("tuned"), HasSubstr("finetune_encoder"), HasSubstr("freeze_layers")));
}

TEST_F(TunedMatrix, FinishedRunsAreKeptAndChangedOnesComputed) {
  engine().run(experiment("matrix"));
  EXPECT_EQ(engine().run(experiment("matrix")).computed, 0U);
  write_spec(R"("unimol")", "weight-decay = 0.1\n");
  EXPECT_EQ(engine().run(experiment("matrix")).computed, 2U) << "those of tuned";
  write_spec();
  std::filesystem::remove_all(path("matrix") + cell("tuned", 1));
  const std::string before = read_file(path("matrix") + cell("frozen", 1) + "best_model.safetensors");
  EXPECT_EQ(engine().run(experiment("matrix")).computed, 2U);
  EXPECT_EQ(read_file(path("matrix") + cell("frozen", 1) + "best_model.safetensors"), before);
}

TEST_F(TunedMatrix, RefusesWhatCannotBeTrained) {
  const auto refused = [&](auto change) {
    ExperimentRequest request = experiment("refused");
    change(request);
    try {
      engine().run(request);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto nothing = [](ExperimentRequest&) {};
  EXPECT_THAT(refused([](ExperimentRequest& r) { r.compute.precision = "bf16"; }),
              AllOf(HasSubstr("spec.toml:"), HasSubstr("method 'tuned'"), HasSubstr("computes in fp32")));
  write_spec(R"("ecfp", "unimol")");
  EXPECT_THAT(refused(nothing),
              AllOf(HasSubstr("method 'tuned'"), HasSubstr("only the layers of unimol can be trained")));
  EXPECT_THAT(
      refused([&](ExperimentRequest&) { write_spec(R"("ecfp", "unimol")", "encoders = [\"minimol\"]\n"); }),
      AllOf(HasSubstr("method 'tuned'"), HasSubstr("[matrix] does not list")));
  EXPECT_FALSE(std::filesystem::exists(path("refused/runs")));
}

TEST_F(TunedMatrix, AMethodMayBeForSomeEncoders) {
  write_spec(R"("ecfp", "unimol")", "encoders = [\"unimol\"]\n");
  const ExperimentReport report = engine().run(experiment("matrix"));
  EXPECT_EQ(report.runs, 6U) << "frozen on both, tuned on one";
  EXPECT_EQ(report.failed, 0U);
}

/// Conformer options apply to the complete matrix, and each run records them.
TEST_F(TunedMatrix, OptionsOfPlacesGoIntoTheRuns) {
  ExperimentRequest request = experiment("matrix");
  request.placement.max_atoms = 6;
  EXPECT_EQ(engine().run(request).failed, 0U);
  for (const std::string method : {"tuned", "frozen"}) {
    const std::string run = path("matrix") + cell(method, 1);
    const auto config = nlohmann::json::parse(read_file(run + "config.json"));
    EXPECT_EQ(config.at("max_atoms"), 6);
    const auto results = nlohmann::json::parse(read_file(run + "ood_evaluation_results.json"));
    EXPECT_EQ(engine().run(evaluation_of(run)).auroc, results.at("auroc"));
  }
  EXPECT_EQ(engine().run(experiment("matrix")).computed, 4U) << "without the option";
}

TEST_F(UnimolTraining, OptionsOfPlacesAreThoseOfTheRun) {
  for (const bool tune : {false, true}) {
    const std::string name = tune ? "tuned" : "frozen";
    TrainRequest request = tuning(name + "-all", tune);
    engine().run(request);
    request = tuning(name + "-few", tune);
    request.placement = {.conformer_fallback = ConformerFallback::fail, .max_atoms = 6};
    engine().run(request);
    const auto config = nlohmann::json::parse(read_file(path(name + "-few/config.json")));
    EXPECT_EQ(config.at("conformer_fallback"), "fail");
    EXPECT_EQ(config.at("max_atoms"), 6);
    EXPECT_NE(scores(name + "-few"), scores(name + "-all"));
    EvaluateRequest evaluating = evaluation(name + "-few");
    evaluating.conformer_deadline = 30;
    engine().run(evaluating);
  }
  TrainRequest other = tuning("refused", false);
  other.encoder = "ecfp";
  other.weights = "";
  other.compute.random_weights = false;
  other.placement.max_atoms = 6;
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(other); }),
              AllOf(HasSubstr("--max-atoms"), HasSubstr("does not use 3D coordinates")));
}

/// Candidates are compared by the features of a trained encoder.
class TunedDomain : public UnimolTraining {
 protected:
  DomainRequest domain(const std::string& out) {
    DomainRequest request;
    request.training = path("chains.csv");
    request.candidates = path("rings.smi");
    request.store = path("store");
    request.weights = path("weights");
    request.compute = tuning("").compute;
    request.out = path(out);
    return request;
  }
};

TEST_F(TunedDomain, ComparesByTheTrainedEncoder) {
  engine().run(tuning("tuned"));
  DomainRequest request = domain("frozen.csv");
  request.encoder = "unimol";
  engine().run(request);
  request = domain("tuned.csv");
  request.model = path("tuned");
  request.save = path("saved");
  engine().run(request);
  EXPECT_NE(read_file(path("tuned.csv")), read_file(path("frozen.csv")));
  const auto written = nlohmann::json::parse(read_file(path("tuned.json")));
  const auto config = nlohmann::json::parse(read_file(path("tuned/config.json")));
  EXPECT_EQ(written.at("method").at("encoder_identity"), config.at("encoder_identity"));
  EXPECT_EQ(engine().run(PlanMemoryRequest{.work = request}).size(), 3U);

  // The saved folder is sufficient, even if the run has been deleted.
  std::filesystem::remove_all(path("tuned"));
  request = domain("again.csv");
  request.training = path("saved");
  engine().run(request);
  EXPECT_EQ(read_file(path("again.csv")), read_file(path("tuned.csv")));
  EXPECT_EQ(scores("saved").size(), 56U);
  // The encoder in the saved folder can also be used with other training molecules.
  request = domain("refitted.csv");
  request.model = path("saved");
  request.save = path("refitted");
  engine().run(request);
  EXPECT_EQ(read_file(path("refitted.csv")), read_file(path("tuned.csv")));
  EXPECT_EQ(read_file(path("refitted/tuned_encoder.safetensors")),
            read_file(path("saved/tuned_encoder.safetensors")));
  request = domain("again.csv");
  request.training = path("saved");
  request.model = path("tuned");
  EXPECT_THAT(refusal<UsageError>([&] { engine().run(request); }), HasSubstr("--model has no effect"));
  std::string layers = read_file(path("saved/tuned_encoder.safetensors"));
  layers.back() ^= 1;
  replace_file(path("saved/tuned_encoder.safetensors"), layers);
  request.model = "";
  EXPECT_THAT(refusal<InputError>([&] { engine().run(request); }), HasSubstr("tuned_encoder.safetensors"));
}

TEST_F(TunedDomain, RefusesRunsWithoutATrainedEncoder) {
  engine().run(tuning("frozen", false));
  engine().run(tuning("tuned"));
  const auto refused = [&](auto change) {
    DomainRequest request = domain("refused.csv");
    request.model = path("tuned");
    change(request);
    try {
      engine().run(request);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using R = DomainRequest;
  EXPECT_THAT(refused([&](R& r) { r.model = path("frozen"); }),
              AllOf(HasSubstr("did not change the encoder"), HasSubstr("--encoder unimol")));
  EXPECT_THAT(refused([&](R& r) { r.model = path("nothing"); }), HasSubstr("nor a run folder"));
  EXPECT_THAT(refused([](R& r) { r.encoder = "ecfp"; }),
              HasSubstr("--encoder: has no effect, because --model determines it"));
  EXPECT_THAT(refused([](R& r) { r.compute.precision = "bf16"; }),
              HasSubstr("--precision: has no effect, because --model determines it"));
  EXPECT_THAT(refused([](R& r) { r.placement.max_atoms = 5; }),
              HasSubstr("--max-atoms: has no effect, because --model determines it"));
  init(8, "weights");
  EXPECT_THAT(refused([](R&) {}), HasSubstr("the same weights"));
}

}  // namespace
}  // namespace molgauge::test
