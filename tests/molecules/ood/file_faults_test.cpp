#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/core/session/log.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/trainer.h"
#include "support/faulty_files.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

/// A training that was interrupted after its second epoch continues to its seventh.
TEST(TrainingFaults, EveryFaultLeavesARunThatGoesOnToTheSameResult) {
  set_log_level(LogLevel::off);
  const TrainingData data = test::training_data(20, 4);
  TrainingOptions options = test::small_options();
  options.hidden_dim = 4;
  const auto read_whole = [](const std::filesystem::path& run) {
    std::string text;
    for (const char* name : {"best_model.safetensors", "checkpoints/last.safetensors", "training_curve.csv",
                             "training_dynamics.csv"}) {
      text += read_file(run / name);
    }
    return text;
  };
  const test::TemporaryFolder undisturbed;
  train_energy_head(data, options, undisturbed.path());
  const std::string expected = read_whole(undisturbed.path());

  test::expect_survives_every_fault(
      {.prepare = [](const auto&) {},
       .write = [&](const auto& folder) { train_energy_head(data, options, folder); },
       .read = [&](const auto& folder) -> std::string {
         if (!std::filesystem::exists(folder / "checkpoints/last.safetensors")) {
           return "begun";
         }
         return read_whole(folder) == expected ? "ended" : "under way";
       }},
      {"under way"});
}

TEST(ResultFaults, EachFileIsReplacedWholeOrNotAtAll) {
  const auto evaluation_with = [](double auroc) {
    Evaluation evaluation;
    evaluation.metrics.auroc = auroc;
    evaluation.id_scores = {0.25F};
    evaluation.ood_scores = {static_cast<float>(auroc)};
    return evaluation;
  };
  const auto write = [&](const auto& folder, double auroc) {
    write_evaluation(folder, evaluation_with(auroc), {});
  };
  test::expect_survives_every_fault(
      {.prepare = [&](const auto& folder) { write(folder, 0.5); },
       .write = [&](const auto& folder) { write(folder, 0.75); },
       .read =
           [&](const auto& folder) {
             std::string state;
             for (const char* name :
                  {"ood_evaluation_results.json", "test_metrics.json", "detailed_predictions.csv"}) {
               const std::string text = read_file(folder / name);
               EXPECT_TRUE(text.ends_with("}\n") || text.ends_with(",1,OOD,\n")) << text;
               state += text.find("0.75") == std::string::npos ? "old " : "new ";
             }
             return state;
           }},
      {"new old old ", "new new old "});
}

}  // namespace
}  // namespace molgauge::ood
