// Tests the reports of real matrices and runs, also in a browser.

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "browser.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSpec = R"(title = "Losses & <betas>"

[matrix]
encoders = ["ecfp"]
seeds = [1, 2]

[training]
epochs = 4
batch-size = 64

[hard-pairs]
pairs = 2000

[[benchmark]]
name = "nci-size"
molecules = "nci.smi"
domain = "size"
algorithm = "drugood"

[[method]]
name = "energy-dpo-with-a-name-that-is-rather-long-for-a-telephone"
loss = "dpo"
dpo-beta = [0.1, 2.0]
lambda-reg = [0.01, 0.001]

[[method]]
name = "energy-bce"
loss = "bce"
)";

class ReportTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::rename(place_.nci_molecules(600), place_.path("nci.smi"));
    spec_ = place_.file("spec.toml", kSpec);
  }

  Outcome experiment(const CommandOptions& options = {}) {
    return molgauge({"experiment", spec_, "--out", matrix_, "--store", place_.path("store"), "--quiet",
                     "--log-level", "warn"},
                    options);
  }

  void expect_that_a_browser_finds_nothing_but_damage() const {
    const std::string verdict = browser_verdict(MOLGAUGE_BROWSER_CHECK, matrix_);
    EXPECT_THAT(verdict, testing::MatchesRegex("looked at [1-9][0-9]* figures\n"));
    std::string damaged = read_file(matrix_ + "/report.html");
    damaged.insert(damaged.find("<figure>") + 8, "<script>undefined_name();</script><svg></svg>");
    damaged.insert(damaged.find("<p>") + 3,
                   "<span style=\"white-space: nowrap\">" + std::string(300, 'm') + "</span>");
    replace_file(matrix_ + "/report.html", damaged);
    const std::string complaints = browser_verdict(MOLGAUGE_BROWSER_CHECK, matrix_);
    EXPECT_THAT(complaints, HasSubstr("390: empty figure"));
    EXPECT_THAT(complaints, HasSubstr("1280: text overflows"));
    EXPECT_THAT(complaints, HasSubstr("undefined_name"));
  }

  Workplace place_;
  std::string spec_, matrix_ = place_.path("matrix");
};

TEST_F(ReportTest, OfAMatrix) {
  ASSERT_EQ(experiment().exit_code, 0);
  const Outcome outcome = molgauge({"report", matrix_});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, matrix_ + "/report.html\n" + matrix_ + "/report.md\n" + matrix_ + "/report.tex\n" +
                             matrix_ + "/report.csv\n");
  EXPECT_THAT(outcome.err, Not(HasSubstr("missing:")));
  EXPECT_THAT(read_file(matrix_ + "/report.html"), Not(HasSubstr("95 % bootstrap interval")));
  const std::string html = read_file(matrix_ + "/report.html");
  for (const char* part :
       {"<h1>Losses &amp; &lt;betas&gt;</h1>", "10 of 10 runs finished", ">ROC</p>", ">Validation AUROC</p>",
        "Intervals need at least 5 seeds", ">Mean margin</p>", "Sensitivity</h2>", "Hard pairs</h2>",
        ">Weight of a pair</p>", ">Where pairs lie</p>", ">Share of the total weight</p>",
        ">Hard, easy and boundary pairs</p>", ">Their mean weights</p>", "scored molecules per s",
        "peak memory", "aria-label=\"Structure\"", "Memory and time</h2>", "foundation_model"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  EXPECT_THAT(html, Not(HasSubstr("What is missing")));
  if (has_browser()) {
    expect_that_a_browser_finds_nothing_but_damage();
  }
}

TEST_F(ReportTest, OfAMatrixThatWasKilledOrHasNotBegun) {
  std::filesystem::create_directories(matrix_);
  int finished = 0;
  for (int tries = 0; tries < 40 && finished == 0; ++tries) {
    CommandOptions options;
    options.kill_after = std::chrono::milliseconds(500 + 200 * tries);
    experiment(options);
    const Outcome outcome = molgauge({"report", matrix_});
    EXPECT_THAT(outcome.exit_code, testing::AnyOf(0, 3)) << outcome.err;
    EXPECT_THAT(outcome.err,
                outcome.exit_code == 3 ? HasSubstr("molgauge experiment") : HasSubstr("finished"));
    finished += outcome.exit_code == 0 ? 1 : 0;
  }
  EXPECT_EQ(finished, 1);
}

TEST_F(ReportTest, OfARun) {
  const std::string benchmark = place_.path("benchmark.json"), run = place_.path("run");
  ASSERT_EQ(place_.split(place_.path("nci.smi"), benchmark).exit_code, 0);
  ASSERT_EQ(place_.train(benchmark, run, {"--epochs", "3"}).exit_code, 0);
  const Outcome early = molgauge({"report", run});
  EXPECT_EQ(early.exit_code, 3);
  EXPECT_THAT(early.err, HasSubstr("molgauge evaluate"));
  ASSERT_EQ(place_.evaluate(run).exit_code, 0);
  const Outcome outcome = molgauge({"report", run, "--out", place_.path("page.html")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string html = read_file(place_.path("page.html"));
  EXPECT_THAT(html, HasSubstr("Peak memory of each phase"));
  EXPECT_THAT(html, HasSubstr("aria-label=\"Structure\""));
}

TEST_F(ReportTest, OfBaselines) {
  std::istringstream lines(read_file(place_.path("nci.smi")));
  std::string table = "smiles,nitrogen\n";
  for (std::string line; std::getline(lines, line);) {
    const std::string smiles = line.substr(0, line.find_first_of(" \t"));
    table += smiles + (smiles.find_first_of("Nn") != std::string::npos ? ",1\n" : ",0\n");
  }
  const std::string benchmark = place_.path("benchmark.json"), run = place_.path("run");
  ASSERT_EQ(place_.split(place_.file("nci.csv", table), benchmark, {"--label-column", "nitrogen"}).exit_code,
            0);
  const std::vector<std::string> words = {"baseline",  benchmark, "--run",   run,
                                          "--encoder", "ecfp",    "--store", place_.path("store"),
                                          "--epochs",  "4",       "--quiet"};
  ASSERT_EQ(molgauge(words).exit_code, 0);
  const Outcome outcome = molgauge({"report", run});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("missing:")));
  EXPECT_THAT(outcome.err, HasSubstr("12 of 12 runs finished"));
  const std::string html = read_file(run + "/report.html");
  for (const char* part : {"12 baselines with one classifier", "mahalanobis", ">ROC</p>",
                           "Confidently wrong</h2>", "aria-label=\"Structure\"", "Peak memory of each phase",
                           "scored molecules per s", "Options of all methods", "hidden_channels"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  if (has_browser()) {
    EXPECT_THAT(browser_verdict(MOLGAUGE_BROWSER_CHECK, run),
                testing::MatchesRegex("looked at [1-9][0-9]* figures\n"));
  }
}

TEST_F(ReportTest, OfAnotherFolderIsRefused) {
  const Outcome outcome = molgauge({"report", place_.path("")});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("neither a matrix"));
  EXPECT_EQ(molgauge({"report", place_.path(""), "--out", "report.pdf"}).exit_code, 2);
}

}  // namespace
}  // namespace molgauge::test
