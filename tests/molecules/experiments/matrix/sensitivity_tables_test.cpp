#include "molecules/experiments/matrix/sensitivity_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "outcomes.h"
#include "support/fixtures.h"

namespace molgauge::matrix {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SensitivityTables : public testing::Test {
 protected:
  void write(const std::vector<CellOutcome>& outcomes) { write_sensitivity_tables(folder_.path(), outcomes); }
  bool has(const char* name) { return std::filesystem::exists(folder_ / name); }
  std::string text(const char* name) { return read_file(folder_ / name); }

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

TEST_F(SensitivityTables, AreMeansOverTheSeeds) {
  write({at(0.1, {}, 1, 2), at(0.1, {}, 2, 4), at(10, {}, 1, 8)});
  EXPECT_EQ(text("beta_sensitivity.csv"),
            "beta,dataset,best_valid_auc,test_auc,test_loss,test_energy_separation,encoder,method,runs\n"
            "0.1,nci,0.5,0.75,3,2,ecfp,dpo,2\n"
            "10,nci,0.5,0.75,8,2,ecfp,dpo,1\n");
  EXPECT_FALSE(has("lambda_sensitivity.csv"));
  EXPECT_FALSE(has("parameter_study.csv"));
}

TEST_F(SensitivityTables, OfAGridOverBothParameters) {
  write({at(0.1, 0.01, 1, 2)});
  EXPECT_THAT(text("parameter_study.csv"), StartsWith("beta,lambda,dataset,final_train_loss,"));
  EXPECT_THAT(text("parameter_study.csv"),
              HasSubstr("\n0.1,0.01,nci,0.5,0.25,2,2,12,0.125,0.75,true,false,ecfp,dpo,1\n"));
  write({outcome_of("dpo", 1, 0.5)});
  EXPECT_FALSE(has("parameter_study.csv")) << "of an earlier specification";
}

TEST_F(SensitivityTables, HeadFiguresSurviveTheCellFile) {
  const auto outcome = at(0.1, {}, 1, 2);
  write_cell(folder_.path(), {"identity", outcome.ended.result, ""});
  const auto back = read_cell(folder_.path());
  ASSERT_TRUE(back && back->result && back->result->head);
  EXPECT_EQ(back->result->head->stability_score, 0.75);
}

}  // namespace
}  // namespace molgauge::matrix
