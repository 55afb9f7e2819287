#include "molecules/experiments/matrix/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "outcomes.h"
#include "support/fixtures.h"

namespace molgauge::matrix {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TablesTest : public testing::Test {
 protected:
  void write(const std::vector<CellOutcome>& outcomes) {
    for (const auto& outcome : outcomes) {
      make_folder(folder_.path() / outcome.cell.folder());
    }
    write_tables(folder_.path(), outcomes);
  }
  std::string text(const char* name) { return read_file(folder_.path() / name); }
  test::TemporaryFolder folder_;
};

TEST_F(TablesTest, CellsHaveARowEach) {
  write({outcome_of("dpo", 1, 0.75), failed_outcome("bce", 1, "diverged, badly")});
  const std::string table = text("cells.csv");
  EXPECT_THAT(table, StartsWith("benchmark,encoder,method,kind,options,seed,data_seed,auroc,"));
  EXPECT_THAT(table, HasSubstr("\nnci,ecfp,dpo,energy-head,,1,42,0.75,0.375,0.25,0.5,0,0,0,0,0,0,0,0,,\n"));
  EXPECT_THAT(table, HasSubstr("\nnci,ecfp,bce,energy-head,,1,42,,,,,,,,,,,,,,\"diverged, badly\"\n"));
}

/// The tables contain figures with OOD and with ID as the positive class.
TEST_F(TablesTest, FiguresWithIdAsThePositiveClassHaveColumns) {
  CellOutcome with = outcome_of("dpo", 1, 0.75);
  with.ended.result->aupr_id_positive = 0.875;
  with.ended.result->fpr95_id_positive = 0.125;
  write({with, outcome_of("bce", 1, 0.75)});
  EXPECT_THAT(text("cells.csv"),
              HasSubstr("\nnci,ecfp,dpo,energy-head,,1,42,0.75,0.375,0.25,0.5,0,0,0,0,0,0,0.875,0.125,,\n"));
  const std::string summary = text("summary.csv");
  EXPECT_THAT(summary, HasSubstr(",aupr_id_positive_mean,"));
  EXPECT_THAT(summary, HasSubstr(",fpr95_id_positive_mean,"));
  EXPECT_THAT(summary, HasSubstr(",0.875,"));
  EXPECT_THAT(summary, testing::Not(HasSubstr("nan")));
}

TEST_F(TablesTest, ErrorsAreExactUnlessASpreadsheetIsToOpenThem) {
  const std::vector<CellOutcome> outcomes = {failed_outcome("bce", 1, "=1+2")};
  write(outcomes);
  EXPECT_THAT(text("cells.csv"), HasSubstr(",=1+2\n"));
  write_tables(folder_.path(), outcomes, CsvTexts::spreadsheet_safe);
  EXPECT_THAT(text("cells.csv"), HasSubstr(",'=1+2\n"));
}

TEST_F(TablesTest, GridsHaveTheirChoice) {
  write({grid_outcome(0.1, 0.9, 0.6), grid_outcome(1, 0.7, 0.8)});
  EXPECT_THAT(text("chosen.csv"), HasSubstr("\"dpo,dpo-beta=1\""));
  EXPECT_THAT(text("summary.csv"), HasSubstr("\"dpo,dpo-beta=0.1\""));
  write({outcome_of("dpo", 1, 0.75)});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "chosen.csv")) << "of an earlier specification";
}

}  // namespace
}  // namespace molgauge::matrix
