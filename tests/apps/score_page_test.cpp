// Tests the page of scored molecules, which `score --page` writes.

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "browser.h"
#include "page_data.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ScorePage : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome split =
        place_.split(place_.nci_table(300), place_.path("benchmark.json"), {"--label-column", "odd"});
    ASSERT_EQ(split.exit_code, 0) << split.err;
    const Outcome trained = place_.train(place_.path("benchmark.json"), run_, {"--epochs", "4", "--quiet"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }

  Outcome score(const std::string& molecules, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--out", scores_, "--page", page_});
    return place_.score(run_, molecules, more);
  }

  Workplace place_;
  std::string run_ = place_.path("run"), scores_ = place_.path("scores.csv"),
              page_ = place_.path("page.html");
};

TEST_F(ScorePage, ShowsTheVerdictsOfTheFile) {
  const Outcome scored = score(place_.nci_table(80));
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  const std::string page = read_file(page_);
  EXPECT_THAT(page, AllOf(HasSubstr("held-out molecules, in distribution"),
                          HasSubstr("held-out molecules, out of distribution"),
                          HasSubstr("A run contains no structures"), Not(HasSubstr("<canvas id=\"map\""))));
  // The verdicts equal the verdicts in the file, and the rows with the highest scores come first.
  std::map<std::string, std::pair<std::string, double>> known;  // prediction and score of each SMILES
  io::CsvReader table(scores_, ',');
  table.next();
  while (const auto row = table.next()) {
    known[row->fields[0]] = {row->fields[3], std::stod(row->fields[2])};
  }
  const auto rows = data_of(page)["rows"];
  ASSERT_EQ(rows.size(), 80U);
  double last = INFINITY;
  std::size_t outside = 0;
  for (const auto& row : rows) {
    const auto& [prediction, own] = known.at(row[1]);
    EXPECT_EQ(prediction, row[2] == 0 ? "0" : "1") << row[1];
    EXPECT_NEAR(row[5].get<double>(), own, 1e-4);
    EXPECT_NE(row[10], "") << "is drawn";
    EXPECT_LE(row[5].get<double>(), last);
    last = row[5];
    outside += prediction == "1" ? 1 : 0;
  }
  EXPECT_GT(outside, 0U);
}

TEST_F(ScorePage, OfSeveralSeedsShowsWhereTheyDisagree) {
  const std::string seeds = place_.path("seeds"), molecules = place_.nci_table(60);
  ASSERT_EQ(place_.train(place_.path("benchmark.json"), seeds, {"--epochs", "2", "--seeds", "3", "--quiet"})
                .exit_code,
            0);
  ASSERT_EQ(place_.score(seeds, molecules, {"--out", scores_, "--page", page_}).exit_code, 0);
  const std::string page = read_file(page_);
  EXPECT_THAT(page, HasSubstr("mean of 3 seeds"));
  std::map<std::string, std::pair<std::string, double>> known;  // disagreement and deviation of each SMILES
  io::CsvReader table(scores_, ',');
  table.next();
  while (const auto row = table.next()) {
    const long against = std::lround(3 * std::stod(row->fields[4]));
    known[row->fields[0]] = {against == 0 ? "all seeds agree" : std::to_string(against) + " of 3 seeds",
                             std::stod(row->fields[3])};
  }
  for (const nlohmann::json rows = data_of(page)["rows"]; const auto& row : rows) {
    const auto& [disagreement, deviation] = known.at(row[1]);
    EXPECT_EQ(row[9].size(), 0U) << "no further words";
    ASSERT_EQ(row[13].size(), 2U);
    EXPECT_NEAR(std::stod(row[13][0].get<std::string>()), deviation, 0.06 * deviation);
    EXPECT_EQ(row[13][1], disagreement);
  }
  EXPECT_THAT(page, Not(HasSubstr("with a probability of")));
  const Outcome refused = molgauge({"report", seeds});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("seed_N"));
}

/// The requested threshold lies in the middle of the energies and classifies half of the molecules as
/// out-of-distribution. The threshold of the run would classify only a few molecules as out-of-distribution.
TEST_F(ScorePage, ARequestedThresholdDecidesAlone) {
  ASSERT_EQ(score(place_.nci_table(40)).exit_code, 0);
  std::vector<double> energies;
  for (const nlohmann::json rows = data_of(read_file(page_))["rows"]; const auto& row : rows) {
    energies.push_back(row[5].get<double>());
  }
  std::sort(energies.begin(), energies.end());
  const double middle = (energies.at(19) + energies.at(20)) / 2;
  const std::string threshold = std::to_string(middle);
  ASSERT_EQ(score(place_.nci_table(40), {"--threshold", threshold}).exit_code, 0);
  for (const nlohmann::json rows = data_of(read_file(page_))["rows"]; const auto& row : rows) {
    EXPECT_EQ(row[2], row[5].get<double>() > std::stod(threshold) ? 2 : 0);
  }
}

TEST_F(ScorePage, ReportNamesTheReplacementOfScore) {
  const Outcome refused = molgauge({"report", run_, "--score", scores_});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("molgauge score DIR MOLECULES --page"));
}

TEST_F(ScorePage, OptionsWithoutEffectAndPagesWithoutVerdictsAreRefused) {
  const std::string molecules = place_.file("m.smi", "CCO\n");
  EXPECT_EQ(place_.score(run_, molecules, {"--page", place_.path("page.txt")}).exit_code, 2);
  EXPECT_EQ(place_.score(run_, molecules, {"--page-rows", "5"}).exit_code, 2);
  EXPECT_EQ(molgauge({"report", run_, "--id-recall", "0.9"}).exit_code, 2);
  std::filesystem::remove(run_ + "/validation_scores.safetensors");
  const Outcome none = score(molecules);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--threshold"));
  EXPECT_EQ(score(molecules, {"--threshold", "1"}).exit_code, 0);
}

/// The page shows markup in names as text. An unreadable record comes last, with its reason. The test opens
/// the page at two widths.
TEST_F(ScorePage, ShowsMarkupAndFitsScreens) {
  std::string hostile = "smiles,name\nno-molecule,broken\n";
  for (int i = 0; i < 200; ++i) {
    hostile += "C" + std::string(static_cast<std::size_t>(i % 30), 'C') +
               "Br,\"<script>window.hacked=1</script><img src=x onerror=window.hacked=1> </script> " +
               std::to_string(i) + "\"\n";
  }
  ASSERT_EQ(score(place_.file("hostile.csv", hostile)).exit_code, 0);
  const std::string html = read_file(page_);
  EXPECT_THAT(html, AllOf(Not(HasSubstr("<script>window.hacked")), Not(HasSubstr("<img")),
                          HasSubstr("\\u003cscript>window.hacked")));
  const auto last = data_of(html)["rows"].back();
  EXPECT_EQ(last[0], "broken");
  EXPECT_EQ(last[2], 3);
  EXPECT_NE(last[18], "") << "the reason";
  if (!has_browser()) {
    GTEST_SKIP() << "chromium is not installed (scripts/setup --developer)";
  }
  EXPECT_EQ(browser_verdict(MOLGAUGE_SCORE_CHECK, place_.path("")), "looked at 2 widths\n");
}

}  // namespace
}  // namespace molgauge::test
