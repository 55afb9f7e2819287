#include "molecules/pages/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/page/chart.h"
#include "folders.h"
#include "molecules/pages/compared_methods.h"
#include "support/fixtures.h"

namespace molgauge::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class StudyTest : public testing::Test {
 protected:
  std::string refusal() {
    try {
      read_study(folder_.path());
      return "";
    } catch (const InputError& problem) {
      return problem.what();
    }
  }
  test::TemporaryFolder folder_;
};

TEST_F(StudyTest, ReadsAMatrixByItsPlan) {
  test::write_matrix(folder_.path());
  replace_file(folder_ / "spec.toml", "# note\ntitle = \"Two methods\"\n");
  const Study study = read_study(folder_.path());
  EXPECT_EQ(study.title, "Two methods");
  EXPECT_EQ(study.planned, 9U);
  EXPECT_EQ(study.outcomes.size(), 9U);
  EXPECT_THAT(study.gaps, IsEmpty());
  const auto settings = settings_of(study);
  ASSERT_EQ(settings.size(), 1U);
  ASSERT_EQ(settings[0].contenders.size(), 2U);
  EXPECT_EQ(settings[0].contenders[0].summary.variant, "dpo,dpo-beta=0.1");  // best validation result
  EXPECT_EQ(settings[0].contenders[0].median->cell.seed, 2U);
  EXPECT_EQ(display_name(settings[0].contenders[0].summary.variant), "dpo, dpo-beta=0.1");
  EXPECT_EQ(drawn_contenders(settings[0])[0].summary.method, "knn");  // the best comes first
}

TEST_F(StudyTest, AKilledMatrixLacksWhatHasNotEnded) {
  const auto cells = test::write_matrix(folder_.path());
  std::filesystem::remove(folder_.path() / cells[0].folder() / "cell.json");
  std::filesystem::remove_all(folder_.path() / cells[1].folder());
  replace_file(folder_.path() / cells[2].folder() / "cell.json", "{\"identity\": ");  // damaged
  const Study study = read_study(folder_.path());
  EXPECT_EQ(study.outcomes.size(), 6U);
  EXPECT_THAT(study.gaps, Contains(HasSubstr("3 of 9 runs are not finished")));
}

/// The matrix was killed before the runs of a changed specification replaced the earlier runs.
TEST_F(StudyTest, ResultsOfAnEarlierSpecificationAreMissing) {
  const auto cells = test::write_matrix(folder_.path());
  matrix::CellResult result;
  result.auroc = result.aupr = result.fpr95 = 0.5;
  matrix::write_cell(folder_.path() / cells[3].folder(), {"another identity", result, ""});
  const Study study = read_study(folder_.path());
  EXPECT_EQ(study.outcomes.size(), 8U);
  EXPECT_THAT(study.gaps, Contains(HasSubstr("1 of 9 runs are not finished")));
}

TEST_F(StudyTest, NothingFinishedIsRefusedWithTheFix) {
  const auto cells = test::write_matrix(folder_.path());
  for (const auto& cell : cells) {
    matrix::write_cell(folder_.path() / cell.folder(), {"identity", std::nullopt, "bad luck"});
  }
  EXPECT_THAT(refusal(),
              HasSubstr("no run has finished (the first error: bad luck). Run 'molgauge experiment'"));
  std::filesystem::remove_all(folder_ / "runs");
  EXPECT_THAT(refusal(), HasSubstr("no run has finished. Run 'molgauge experiment'"));
}

TEST_F(StudyTest, AnotherFolderIsRefused) {
  EXPECT_THAT(refusal(), HasSubstr("neither a matrix"));
  EXPECT_THROW(read_study(folder_ / "absent"), InputError);
}

TEST_F(StudyTest, APlanCannotLeadOutOfItsFolder) {
  const std::string header = "benchmark,encoder,method,kind,options,seed,data_seed,identity\n";
  for (const char* row : {"../x,ecfp,dpo,energy,,1,42,\n", "..,ecfp,dpo,energy,,1,42,\n",
                          "b,ecfp,dpo,energy,a=/../../x,1,42,\n"}) {
    replace_file(folder_ / "plan.csv", header + row);
    EXPECT_THAT(refusal(), HasSubstr("plan.csv:2")) << row;
  }
  replace_file(folder_ / "plan.csv", header + "b,ecfp,dpo,energy,beta,1,42,\n");
  EXPECT_THAT(refusal(), HasSubstr("plan.csv:2: 'beta' is not NAME=VALUE"));
  replace_file(folder_ / "plan.csv", header + "b,ecfp,dpo,energy,,-1,42,\n");
  EXPECT_THAT(refusal(), HasSubstr("plan.csv:2: '-1' is not a whole number"));
  replace_file(folder_ / "plan.csv", "benchmark\n");
  EXPECT_THAT(refusal(), HasSubstr("no column 'encoder'"));
}

TEST_F(StudyTest, ReadsASingleRun) {
  test::write_run(folder_.path());
  EXPECT_THAT(refusal(), HasSubstr("has not been evaluated"));
  replace_file(folder_ / "test_metrics.json", "{\"auroc\": 0.8, \"aupr\": 0.7, \"fpr95\": \"high\"}");
  EXPECT_THAT(refusal(), HasSubstr("no auroc, aupr and fpr95"));
  replace_file(folder_ / "test_metrics.json", "{\"auroc\": 0.8, \"aupr\": 0.7, \"fpr95\": 0.6}");
  const Study study = read_study(folder_.path());
  EXPECT_EQ(study.kind, StudyKind::run);
  EXPECT_THAT(study.gaps, Contains(HasSubstr("training_stats.json is missing")));
  ASSERT_EQ(study.outcomes.size(), 1U);
  EXPECT_EQ(study.outcomes[0].cell.benchmark, "bace");
  EXPECT_EQ(study.outcomes[0].cell.method, "energy-dpo");
  EXPECT_EQ(study.outcomes[0].ended.result->auroc, 0.8);
}

TEST(Contenders, AtMostAsManyAreDrawnAsThereAreColours) {
  Study study;
  for (std::size_t i = 0; i < 10; ++i) {
    matrix::CellResult result;
    result.auroc = 0.5 + 0.01 * static_cast<double>(i);
    study.outcomes.push_back(
        {{"b", "ecfp", "m" + std::to_string(i), "energy", {}, {}, 1, 42}, {"", result, ""}, true});
  }
  const auto settings = settings_of(study);
  const auto drawn = drawn_contenders(settings[0]);
  ASSERT_EQ(drawn.size(), page::kMaxSeries);
  EXPECT_EQ(drawn[0].summary.method, "m9");
  EXPECT_EQ(drawn[6].style, 6U);
  EXPECT_EQ(left_out(settings[0]), " Not drawn for lack of space: m2, m1, m0.");
}

}  // namespace
}  // namespace molgauge::report
