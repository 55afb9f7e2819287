#include "matrix/program_summaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "outcomes.h"
#include "support/fixtures.h"

namespace headroom::matrix {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ProgramSummaries : public testing::Test {
 protected:
  void write(const std::vector<CellOutcome>& outcomes, const experiment::Spec& spec = {}) {
    for (const auto& outcome : outcomes) {
      make_folder(folder_.path() / outcome.cell.folder());
    }
    write_program_summaries(folder_.path(), spec, outcomes);
  }
  bool has(const char* name) { return std::filesystem::exists(folder_ / name); }
  std::string text(const char* name) { return read_file(folder_ / name); }
  nlohmann::json json(const char* name) { return nlohmann::json::parse(text(name)); }

  static CellOutcome with_loss(const std::string& loss, std::uint64_t seed, double auroc) {
    CellOutcome outcome = outcome_of("energy-" + loss, seed, auroc);
    outcome.cell.options["loss"] = loss;
    return outcome;
  }
  static CellOutcome at(double beta, std::optional<double> lambda, std::uint64_t seed, double test_loss) {
    CellOutcome outcome = grid_outcome(beta, 0.75, 0.5);
    outcome.cell.seed = seed;
    if (lambda) {
      outcome.cell.grid["lambda-reg"] = *lambda;
    }
    outcome.ended.result->id_mean_score = -1;
    outcome.ended.result->ood_mean_score = 1;
    outcome.ended.result->head = HeadTraining{0.5, 0.25, test_loss, 2, 12, 0.125, 0.75};
    return outcome;
  }
  test::TemporaryFolder folder_;
};

TEST_F(ProgramSummaries, OfCrossDatasetTests) {
  experiment::Spec spec;
  spec.benchmarks.resize(1);
  spec.benchmarks[0].name = "nci";
  write({outcome_of("dpo", 1, 0.5), outcome_of("dpo", 2, 0.75)}, spec);
  EXPECT_FALSE(has("cross_dataset_summary.json")) << "tested on its own molecules";
  spec.benchmarks[0].test = "other.json";
  write({outcome_of("dpo", 1, 0.5), outcome_of("dpo", 2, 0.75)}, spec);
  const auto metrics = json("runs/ecfp/nci/dpo/cross_dataset_metrics.json");
  EXPECT_EQ(metrics["metrics"]["auroc"]["mean"], 0.625);
  EXPECT_EQ(metrics["num_seeds"], 2);
  EXPECT_EQ(json("cross_dataset_summary.json")["nci"]["ecfp"]["dpo"], metrics);
  spec.benchmarks[0].test.clear();
  write({outcome_of("dpo", 1, 0.5)}, spec);
  EXPECT_FALSE(has("cross_dataset_summary.json")) << "of an earlier specification";
  EXPECT_FALSE(has("runs/ecfp/nci/dpo/cross_dataset_metrics.json")) << "of an earlier specification";
}

TEST_F(ProgramSummaries, OfLosses) {
  write({with_loss("dpo", 1, 0.5), with_loss("dpo", 2, 0.75), with_loss("bce", 1, 0.25)});
  const auto metrics = json("runs/ecfp/nci/dpo_metrics.json")["auroc"];
  EXPECT_EQ(metrics["mean"], 0.625);
  EXPECT_EQ(metrics["std"], 0.125) << "population deviation";
  EXPECT_EQ(metrics["runs"].size(), 2U);
  EXPECT_TRUE(has("runs/ecfp/nci/bce_metrics.json"));
}

TEST_F(ProgramSummaries, OfASingleLossThereAreNone) {
  write({with_loss("dpo", 1, 0.5)});
  EXPECT_FALSE(has("runs/ecfp/nci/dpo_metrics.json"));
}

TEST_F(ProgramSummaries, OfLossesThatAreNoLongerThereNoneStay) {
  write({with_loss("dpo", 1, 0.5), with_loss("bce", 1, 0.25), with_loss("mse", 1, 0.25)});
  write({with_loss("dpo", 1, 0.5), with_loss("bce", 1, 0.25)});
  EXPECT_TRUE(has("runs/ecfp/nci/bce_metrics.json"));
  EXPECT_FALSE(has("runs/ecfp/nci/mse_metrics.json"));
  write({with_loss("dpo", 1, 0.5)});
  EXPECT_FALSE(has("runs/ecfp/nci/dpo_metrics.json"));
}

TEST_F(ProgramSummaries, SensitivityIsAMeanOverTheSeeds) {
  write({at(0.1, {}, 1, 2), at(0.1, {}, 2, 4), at(10, {}, 1, 8)});
  EXPECT_EQ(text("beta_sensitivity.csv"),
            "beta,dataset,best_valid_auc,test_auc,test_loss,test_energy_separation,encoder,method,runs\n"
            "0.1,nci,0.5,0.75,3,2,ecfp,dpo,2\n"
            "10,nci,0.5,0.75,8,2,ecfp,dpo,1\n");
  EXPECT_FALSE(has("lambda_sensitivity.csv"));
  EXPECT_FALSE(has("parameter_study.csv"));
}

TEST_F(ProgramSummaries, OfAGridOverBothParameters) {
  write({at(0.1, 0.01, 1, 2)});
  EXPECT_THAT(text("parameter_study.csv"), StartsWith("beta,lambda,dataset,final_train_loss,"));
  EXPECT_THAT(text("parameter_study.csv"),
              HasSubstr("\n0.1,0.01,nci,0.5,0.25,2,2,12,0.125,0.75,true,false,ecfp,dpo,1\n"));
  write({outcome_of("dpo", 1, 0.5)});
  EXPECT_FALSE(has("parameter_study.csv")) << "of an earlier specification";
}

TEST_F(ProgramSummaries, HeadFiguresSurviveTheCellFile) {
  const auto outcome = at(0.1, {}, 1, 2);
  write_cell(folder_.path(), {"identity", outcome.ended.result, ""});
  const auto back = read_cell(folder_.path());
  ASSERT_TRUE(back && back->result && back->result->head);
  EXPECT_EQ(back->result->head->stability_score, 0.75);
}

}  // namespace
}  // namespace headroom::matrix
