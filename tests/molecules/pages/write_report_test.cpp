#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "folders.h"
#include "molecules/pages/report.h"
#include "support/fixtures.h"

namespace molgauge::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class WriteReport : public testing::Test {
 protected:
  ReportSummary write() { return write_report({folder_.path().string(), ""}); }
  std::string page() { return read_file(folder_ / "report.html"); }
  std::filesystem::path run_of(std::size_t cell) { return folder_.path() / cells_[cell].folder(); }

  void SetUp() override {
    cells_ = test::write_matrix(folder_.path());
    replace_file(folder_ / "spec.toml", "title = \"Two methods\"\n");
  }

  test::TemporaryFolder folder_;
  std::vector<matrix::Cell> cells_;
};

TEST_F(WriteReport, WritesAPageAndItsTables) {
  const ReportSummary summary = write();
  EXPECT_EQ(summary.finished, 9U);
  EXPECT_THAT(summary.gaps, IsEmpty());
  ASSERT_EQ(summary.files.size(), 4U);
  const std::string html = page();
  for (const char* part :
       {"<h1>Two methods</h1>", "Results</h2>", "Curves and scores</h2>", "Training</h2>", "Sensitivity</h2>",
        "Confidently wrong</h2>", "Memory and time</h2>", "Settings</h2>", "Peak memory of each phase",
        "1.00 GiB", "in parallel: 2", "aria-label=\"Structure\""}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  EXPECT_THAT(html, Not(HasSubstr("What is missing</h2>")));
  EXPECT_THAT(read_file(folder_ / "report.md"), HasSubstr("| knn | ecfp | 3 | **0.750 \u00B1 0.030**"));
  EXPECT_THAT(read_file(folder_ / "report.tex"), HasSubstr("\\textbf{0.750 $\\pm$ 0.030}"));
  EXPECT_THAT(read_file(folder_ / "report.csv"), HasSubstr("bace,ecfp,dpo,\"dpo,dpo-beta=2\",3,0,"));
}

TEST_F(WriteReport, NamesAreNoMarkup) {
  replace_file(folder_ / "spec.toml", "title = \"<b>[a](http://b.c)</b> `x`\"\n");
  write();
  EXPECT_THAT(read_file(folder_ / "report.md"),
              HasSubstr("# &lt;b&gt;\\[a\\](http://b.c)&lt;/b&gt; \\`x\\`\n"));
  EXPECT_THAT(page(), HasSubstr("<title>&lt;b&gt;[a]"));
}

TEST_F(WriteReport, TheSameFolderGivesTheSameBytes) {
  write();
  const std::string first = page();
  write();
  EXPECT_EQ(page(), first);
}

TEST_F(WriteReport, HasNoScriptAndNothingFromOutside) {
  write();
  for (const char* outside : {"<script", "http:", "https:", "src=", "url(", "@import", "<link"}) {
    EXPECT_THAT(page(), Not(HasSubstr(outside)));
  }
}

TEST_F(WriteReport, DamagedFilesAreGapsAndTheRestIsShown) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].method == "knn") {
      std::filesystem::remove(run_of(i) / "detailed_predictions.csv");
      replace_file(run_of(i) / "training_curve.csv", "epoch,auroc\n1,2,3\n");
      std::filesystem::remove(run_of(i) / "config.json");
    }
  }
  const ReportSummary summary = write();
  EXPECT_THAT(summary.gaps, Contains(HasSubstr("detailed_predictions.csv")));
  EXPECT_THAT(summary.gaps, Contains(HasSubstr("training_curve.csv:2")));
  EXPECT_THAT(summary.gaps, Contains(HasSubstr("config.json is missing")));
  EXPECT_THAT(page(), HasSubstr("What is missing</h2>"));
  EXPECT_THAT(page(), HasSubstr(">ROC</p>"));
}

TEST_F(WriteReport, ACurveWithoutItsColumnsIsAGap) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    replace_file(run_of(i) / "training_curve.csv", "epoch,other\n1,2\n");
  }
  EXPECT_THAT(write().gaps, Contains(HasSubstr("no column 'train_loss'")));
}

TEST_F(WriteReport, FailedRunsStandThereWithTheirError) {
  matrix::write_cell(run_of(0), {"identity", std::nullopt, "no <luck> & no money"});
  const ReportSummary summary = write();
  EXPECT_EQ(summary.failed, 1U);
  EXPECT_THAT(page(), HasSubstr("no &lt;luck&gt; &amp; no money"));
  EXPECT_THAT(page(), HasSubstr("2 (1 failed)"));
}

TEST_F(WriteReport, MoleculesThatCannotBeDrawnAreGaps) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    replace_file(run_of(i) / "detailed_predictions.csv",
                 "score,true_label,sample_type,smiles\n1,0,ID,<b>C((\n2,1,OOD,CCO\n");
  }
  EXPECT_THAT(write().gaps, Contains(HasSubstr("'<b>C((' cannot be drawn")));
  EXPECT_THAT(page(), Not(HasSubstr("<b>")));
}

TEST_F(WriteReport, RemarksOfRunsAreShown) {
  matrix::CellResult result;
  result.auroc = 0.5;
  result.remark = "the classifier gives one class to all";
  matrix::write_cell(run_of(0), {"identity", result, ""});
  write();
  EXPECT_THAT(page(), HasSubstr("the classifier gives one class to all"));
}

/// If a file is truncated anywhere, the result is a report without this file, or a refusal. Other errors must
/// not occur.
TEST_F(WriteReport, FilesCutOffAnywhereAreSurvived) {
  for (const char* name : {"detailed_predictions.csv", "training_curve.csv", "config.json", "cell.json"}) {
    const std::string whole = read_file(run_of(4) / name);
    for (std::size_t length = 0; length < whole.size(); length += 29) {
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        replace_file(run_of(i) / name, i == 4 ? whole.substr(0, length) : whole.substr(0, length) + "\xff\"");
      }
      try {
        write();
      } catch (const InputError&) {
        EXPECT_STREQ(name, "cell.json");
      }
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      replace_file(run_of(i) / name, whole);
    }
  }
}

TEST_F(WriteReport, ASingleRunHasItsPhases) {
  test::write_run(folder_ / "run");
  replace_file(folder_ / "run/test_metrics.json",
               R"({"auroc": 0.8, "aupr": 0.7, "fpr95": 0.6, "phase_seconds": {"eval": 0.5},
                   "peak_host_memory_bytes": {"eval": 3221225472}, "memory_budget_bytes": 5368709120,
                   "planned_memory_bytes": {"eval": 4294967296}})");
  replace_file(folder_ / "run/training_stats.json",
               R"({"best_auroc": 0.9, "epochs_run": 2, "phase_seconds": {"train": "long"}})");
  write_report({(folder_ / "run").string(), (folder_ / "out/one.html").string()});
  const std::string html = read_file(folder_ / "out/one.html");
  EXPECT_THAT(html, HasSubstr("One run of Molgauge"));
  for (const char* used_planned_budget : {"3.00 GiB", "4.00 GiB", "5.00 GiB"}) {
    EXPECT_THAT(html, HasSubstr(used_planned_budget));
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/one.tex"));
}

TEST_F(WriteReport, ASingleRunSaysWhatItsTestSharesWithItsTraining) {
  test::write_run(folder_ / "run");
  const auto remark = [&](const std::string& shared) {
    replace_file(folder_ / "run/test_metrics.json",
                 R"({"auroc": 0.8, "aupr": 0.7, "fpr95": 0.6, "shared_molecules": )" + shared + "}");
    write_report({(folder_ / "run").string(), (folder_ / "one.html").string()});
    return read_file(folder_ / "one.html");
  };
  EXPECT_THAT(remark("36"), HasSubstr("36 molecules are in parts that must not overlap"));
  EXPECT_THAT(remark("null"), HasSubstr("it is unknown whether some test molecules are training molecules"));
  EXPECT_THAT(remark("0"), Not(HasSubstr(">Remarks<")));
}

TEST_F(WriteReport, HardPairsHaveFiveFigures) {
  write();
  EXPECT_THAT(page(), Not(HasSubstr("Hard pairs</h2>"))) << "nobody asked for them";
  const std::string whole = R"({"beta": 0.1, "pairs": 10, "mean_weight": 0.05, "hard_share_of_weight": 0.25,
      "hard": {"ratio": 0.2, "mean_weight": 0.06}, "easy": {"ratio": 0.8, "mean_weight": 0.04},
      "boundary": {"ratio": 0.1, "mean_weight": 0.05},
      "bins": [{"low": -1, "high": 0, "count": 2, "mean_weight": 0.06},
               {"low": 0, "high": 1, "count": 0, "mean_weight": 0},
               {"low": 1, "high": 2, "count": 8, "mean_weight": 0.04}]})";
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    replace_file(run_of(i) / "hard_pair_validation.json", whole);
  }
  EXPECT_THAT(write().gaps, IsEmpty());
  for (const char* part :
       {"Hard pairs</h2>", ">Where pairs lie</p>", ">Weight of a pair</p>", ">Share of the total weight</p>",
        ">Hard, easy and boundary pairs</p>", ">Their mean weights</p>", "20.0 %"}) {
    EXPECT_THAT(page(), HasSubstr(part));
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    replace_file(run_of(i) / "hard_pair_validation.json", whole.substr(0, 60));
  }
  EXPECT_THAT(write().gaps, Contains(HasSubstr("hard_pair_validation.json: not a file of")));
}

class WriteBaselineReport : public testing::Test {
 protected:
  WriteBaselineReport() {
    replace_file(folder_ / "config.json",
                 R"({"data_file": "/data/bace.json", "foundation_model": "ecfp", "hidden_channels": 64,
                     "seed": 42, "data_seed": 7})");
    replace_file(folder_ / "training_stats.json",
                 R"({"classifiers": {"supervised": {"epochs_run": 9, "train_time_seconds": 3.0}},
                     "phase_seconds": {"train": 3.0}, "peak_host_memory_bytes": {"train": 1073741824}})");
  }
  void add(const std::string& method, double auroc, bool collapsed) {
    replace_file(folder_ / (method + "_results.json"), "{\"auroc\": " + std::to_string(auroc) +
                                                           R"(, "aupr": 0.7, "fpr95": 0.6, "id_count": 2,
                  "ood_count": 2, "fit_seconds": 0.5, "score_seconds": 0.5, "classifier_collapsed": )" +
                                                           (collapsed ? "true}" : "false}"));
    replace_file(
        folder_ / (method + "_predictions.csv"),
        "score,true_label,sample_type,smiles\n1,0,ID,CCO\n0.5,0,ID,CC\n2,1,OOD,CCN\n0,1,OOD,c1ccccc1\n");
  }
  ReportSummary write() { return write_report({folder_.path().string(), ""}); }
  std::string page() { return read_file(folder_ / "report.html"); }
  test::TemporaryFolder folder_;
};

TEST_F(WriteBaselineReport, ShowsEveryFinishedMethod) {
  EXPECT_THROW(write(), InputError) << "no method has finished";
  add("knn", 0.8, false);
  add("msp", 0.5, true);
  const ReportSummary summary = write();
  EXPECT_EQ(summary.finished, 2U);
  EXPECT_THAT(summary.gaps, IsEmpty());
  for (const char* part :
       {"2 baselines with one classifier", ">ROC</p>", "Confidently wrong</h2>", "bace, ecfp: knn",
        "the classifier collapsed to one label", "1.00 GiB", "Options of all methods"}) {
    EXPECT_THAT(page(), HasSubstr(part));
  }
  EXPECT_THAT(read_file(folder_ / "report.md"), HasSubstr("**0.800**"));
}

TEST_F(WriteBaselineReport, HasNoValidationFigure) {
  add("knn", 0.8, false);
  write();
  EXPECT_THAT(read_file(folder_ / "report.md"), testing::Not(HasSubstr("0.000")));
  EXPECT_THAT(page(), HasSubstr("data-name=\"validation AUROC\">–<"));
}

TEST_F(WriteBaselineReport, WhatIsDamagedIsAGap) {
  add("knn", 0.8, false);
  add("msp", 0.5, false);
  add("lof", 0.5, false);
  replace_file(folder_ / "msp_results.json", "{\"auroc\": ");
  std::filesystem::remove(folder_ / "lof_predictions.csv");
  std::filesystem::remove(folder_ / "training_stats.json");
  const ReportSummary summary = write();
  EXPECT_EQ(summary.finished, 2U);
  EXPECT_THAT(summary.gaps, Contains(HasSubstr("msp_results.json has no auroc")));
  EXPECT_THAT(summary.gaps, Contains(HasSubstr("lof_predictions.csv")));
  EXPECT_THAT(summary.gaps, Contains(HasSubstr("training_stats.json is missing")));
}

TEST_F(WriteBaselineReport, SaysThatMoleculesStandWhereTheyMustNot) {
  add("knn", 0.8, false);
  const std::string whole = read_file(folder_ / "knn_results.json");
  replace_file(folder_ / "knn_results.json", "{\"shared_molecules\": 3, " + whole.substr(1));
  write();
  EXPECT_THAT(page(), HasSubstr("3 molecules are in parts that must not overlap, which was accepted"));
}

/// Even without config.json, the results in the folder show that 'molgauge evaluate' cannot resume this run.
TEST_F(WriteBaselineReport, IsMadeWithoutTheOptions) {
  add("knn", 0.8, false);
  replace_file(folder_ / "config.json", "{\"data_file\": ");
  EXPECT_THAT(write().gaps, Contains(HasSubstr("config.json is not a JSON object")));
  std::filesystem::remove(folder_ / "config.json");
  EXPECT_THAT(write().gaps, Contains(HasSubstr("config.json is missing")));
  EXPECT_THAT(page(), HasSubstr("1 baseline with one classifier"));
}

TEST_F(WriteReport, AnotherExtensionIsRefused) {
  EXPECT_THROW(write_report({folder_.path().string(), (folder_ / "report.pdf").string()}), UsageError);
}

}  // namespace
}  // namespace molgauge::report
