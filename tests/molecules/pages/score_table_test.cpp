#include "molecules/pages/score_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::report {
namespace {

using testing::ElementsAre;

ScoredMolecule molecule(std::vector<std::string> input, float score) {
  ScoredMolecule scored;
  scored.line = 2;
  scored.input = std::move(input);
  scored.score = score;
  scored.resembles_training_ood = 0.25;
  return scored;
}

TEST(ScoreTable, KeepsTheColumnsOfATable) {
  ScoreReport report;
  report.input_columns = {"id", "SMILES", "energy_score"};
  report.smiles_column = 1;
  report.score_name = "energy_score";
  report.threshold = 1.5;
  report.has_resemblance = true;
  EXPECT_THAT(score_header(report), ElementsAre("id", "SMILES", "energy_score", "energy_score_2",
                                                "ood_prediction", "resembles_training_ood"));
  EXPECT_THAT(score_cells(report, molecule({"a", "CCO", "7"}, 2.0F)),
              ElementsAre("a", "CCO", "7", "2", "1", "0.25"));
  EXPECT_THAT(score_cells(report, molecule({"a", "CCO", "7"}, 1.5F))[4], "0");
  EXPECT_THAT(short_score_header(report), ElementsAre("line", "SMILES", "energy_score_2", "ood_prediction"));
  EXPECT_THAT(short_score_cells(report, molecule({"a", "CCO", "7"}, 2.0F)),
              ElementsAre("2", "CCO", "2.0000", "1"));
}

TEST(ScoreTable, LeavesEmptyWhatThereIsNot) {
  ScoreReport report;
  report.input_columns = {"line", "smiles", "name"};
  report.smiles_column = 1;
  report.score_name = "knn_score";
  EXPECT_THAT(score_header(report), ElementsAre("line", "smiles", "name", "knn_score", "ood_prediction"));
  EXPECT_THAT(score_cells(report, molecule({"2", "CCO", ""}, 0.5F)), ElementsAre("2", "CCO", "", "0.5", ""));
  ScoredMolecule failed;
  failed.input = {"3", "x", ""};
  report.threshold = 0;
  EXPECT_THAT(score_cells(report, failed), ElementsAre("3", "x", "", "", ""));
  EXPECT_THAT(short_score_cells(report, failed), ElementsAre("3", "x", "", "failed", ""));
}

TEST(ScoreTable, ShowsTheSpreadOfSeveralSeeds) {
  ScoreReport report;
  report.input_columns = {"line", "smiles"};
  report.smiles_column = 1;
  report.score_name = "energy_score";
  report.seeds = 3;
  EXPECT_THAT(score_header(report), ElementsAre("line", "smiles", "energy_score", "energy_deviation",
                                                "disagreement", "ood_prediction"));
}

}  // namespace
}  // namespace molgauge::report
