#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "molecules/pages/number_table.h"
#include "molecules/pages/predictions.h"
#include "support/fixtures.h"

namespace molgauge::report {
namespace {

using testing::HasSubstr;

class RunTables : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& content) {
    replace_file(folder_ / "t.csv", content);
    return folder_ / "t.csv";
  }

  template <typename Read>
  std::string refusal(const std::string& content, Read read) {
    try {
      read(file(content));
      return "";
    } catch (const InputError& problem) {
      return problem.what();
    }
  }

  std::string refused_numbers(const std::string& content) { return refusal(content, NumberTable::read); }
  std::string refused_predictions(const std::string& content) { return refusal(content, read_predictions); }

  test::TemporaryFolder folder_;
};

TEST_F(RunTables, ReadsColumnsByName) {
  const NumberTable table = NumberTable::read(file("epoch,loss\n1,0.5\n2,nan\n"));
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.column("epoch"), (std::vector<double>{1, 2}));
  EXPECT_TRUE(std::isnan(table.column("loss")[1]));
  EXPECT_THROW(table.column("auroc"), InputError);
}

TEST_F(RunTables, RefusesDamageByLine) {
  EXPECT_THAT(refused_numbers("epoch,loss\n1,0.5\n2,0.4,9\n"), HasSubstr("t.csv:3: 3 fields"));
  EXPECT_THAT(refused_numbers("epoch,loss\n1,0.5x\n"), HasSubstr("t.csv:2: '0.5x' is not a number"));
  EXPECT_THAT(refused_numbers(""), HasSubstr("empty"));
}

TEST_F(RunTables, ReadsPredictionsOfMolecules) {
  const Predictions with =
      read_predictions(file("score,true_label,sample_type,smiles\n0.5,0,ID,CCO\n1.5,1,OOD,\"C |a,b|\"\n"));
  EXPECT_EQ(with.id_scores, std::vector<float>{0.5F});
  EXPECT_EQ(with.ood_smiles, std::vector<std::string>{"C |a,b|"});
}

TEST_F(RunTables, RefusesPredictionsThatMakeNoSense) {
  const std::string header = "score,true_label,smiles\n";
  EXPECT_THAT(refused_predictions("score\n1\n"), HasSubstr("no columns"));
  EXPECT_THAT(refused_predictions(header + "1,0,C\n2,2,C\n"), HasSubstr("t.csv:3: true_label is '2'"));
  EXPECT_THAT(refused_predictions(header + "1,0,C\nnan,1,C\n"),
              HasSubstr("t.csv:3: the score is not a finite"));
  EXPECT_THAT(refused_predictions(header + "1,0,C\n"), HasSubstr("both sides"));
  EXPECT_THAT(refused_predictions(header + "1,0,C\n\"1,1,C\n"), HasSubstr("t.csv:3"));
}

}  // namespace
}  // namespace molgauge::report
