// Tests `molgauge domain` on the command line.

#include <algorithm>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "browser.h"
#include "molgauge/choices.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Rows of a CSV file as maps: cell(row, "column").
class Table {
 public:
  explicit Table(const std::string& path) {
    io::CsvReader reader(path, ',');
    columns = reader.next()->fields;
    while (auto row = reader.next()) {
      rows.push_back(std::move(row->fields));
    }
  }
  std::string cell(std::size_t row, const std::string& column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    EXPECT_NE(found, columns.end()) << column;
    return rows[row][static_cast<std::size_t>(found - columns.begin())];
  }
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

class DomainTest : public testing::Test {
 protected:
  /// Alcohols, chains and benzenes: 360 distinct molecules of one distribution.
  std::string training_file() {
    std::string text = "smiles,name,value\n";
    for (int chain = 1; chain <= 12; ++chain) {
      for (const char* const end : {"O", "N", "C(=O)O", "C#N", "Cl"}) {
        for (const char* const ring : {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1", ""}) {
          text += std::string(ring) + std::string(static_cast<std::size_t>(chain) + 1, 'C') + end + ",m" +
                  std::to_string(count_++) + "," + std::to_string(chain * 0.5) + "\n";
        }
      }
    }
    return place_.file("train.csv", text);
  }

  Outcome domain(std::vector<std::string> words, const CommandOptions& options = {}) {
    words.insert(words.begin(), "domain");
    for (const char* const word : {"--store", "--log-level"}) {
      words.emplace_back(word);
      words.push_back(std::string(word) == "--store" ? place_.path("store") : "warn");
    }
    return molgauge(words, options);
  }

  Outcome domain_of(const std::string& candidates, std::vector<std::string> more = {},
                    const CommandOptions& options = {}) {
    more.insert(more.begin(),
                {training_, candidates, "--encoder", "ecfp", "--out", place_.path("domain.csv")});
    return domain(more, options);
  }

  Workplace place_;
  int count_ = 0;
  std::string training_ = training_file();
  std::string candidates_ = place_.file("candidates.csv",
                                        "id,smiles,note\n"
                                        "same,OCCCCc1ccccc1,\"a training molecule, spelt otherwise\"\n"
                                        "near,CCCC(C)CCO,\n"
                                        "platinum,[NH3+][Pt-2](Cl)(Cl)[NH3+],cisplatin\n"
                                        "bad,this-is-none,<b>bold</b>\n"
                                        "fluor,FC(F)(F)C1(F)OC1(F)S(=O)(=O)[N-]C(=O)c1sc2nonc2c1Br,=1+1\n"
                                        "sugar,OC[C@H]1O[C@@H](OC2C(O)C(O)C(O)OC2CO)C(O)C(O)C1O,\n");
};

TEST_F(DomainTest, KeepsColumnsAndOrderAndSaysWhatIsForeign) {
  const Outcome outcome = domain_of(candidates_, {"--level", "0.1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("candidates.csv:5"));
  const Table table(place_.path("domain.csv"));
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(std::vector<std::string>(table.columns.begin(), table.columns.begin() + 4),
            (std::vector<std::string>{"id", "smiles", "note", "decision"}));
  EXPECT_EQ(table.cell(0, "id"), "same");
  EXPECT_EQ(table.cell(0, "note"), "a training molecule, spelt otherwise");
  EXPECT_EQ(table.cell(0, "domain"), "inside");
  EXPECT_EQ(table.cell(0, "domain_p_value"), "1");
  EXPECT_EQ(table.cell(0, "in_training"), "yes");
  EXPECT_EQ(table.cell(0, "nearest_1_distance"), "0");
  EXPECT_EQ(table.cell(0, "nearest_1_tanimoto"), "1.0000");
  EXPECT_THAT(table.cell(0, "nearest_1_name"), testing::StartsWith("m"));
  EXPECT_EQ(table.cell(2, "domain"), "outside");
  EXPECT_THAT(table.cell(2, "foreign_elements"), HasSubstr("Pt"));
  EXPECT_NE(table.cell(2, "foreign_atoms"), "");
  EXPECT_EQ(table.cell(3, "domain"), "unreadable");
  EXPECT_NE(table.cell(3, "domain_reason"), "");
  EXPECT_EQ(table.cell(3, "domain_p_value"), "");
  EXPECT_EQ(table.cell(4, "domain"), "outside");
  EXPECT_EQ(table.cell(4, "foreign_charge"), "") << "the parent is neutral";
  EXPECT_NE(table.cell(4, "foreign_rings"), "");
  EXPECT_EQ(table.cell(4, "scaffold_in_training"), "no");
  const auto json = nlohmann::json::parse(read_file(place_.path("domain.json")));
  EXPECT_EQ(json["training"]["molecules"], 360);
  EXPECT_EQ(json["candidates"]["unreadable"], 1);
  EXPECT_EQ(json["calibration"]["left_out_molecules"], 360);
  EXPECT_FALSE(std::filesystem::exists(place_.path("domain.csv.parts")));
}

/// Four molecules are outside the domain and have the same p-values, regardless of the length and order of
/// the list.
TEST_F(DomainTest, VerdictsDoNotDependOnTheList) {
  const std::vector<std::string> absurd = {"[Na+].[Cl-]", "[2H]C", "N.N.[Cl-].[Cl-].[Pt+2]",
                                           "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1"};
  std::vector<std::string> p_values;
  for (const std::size_t others : {0U, 5U, 250U}) {
    std::vector<std::string> lines = absurd;
    for (std::size_t i = 0; i < others; ++i) {
      lines.push_back(std::string(i % 13 + 1, 'C') + (i % 2 == 0 ? "OC" : "NC") +
                      std::string(i / 13 + 1, 'C'));
    }
    if (others == 5) {
      std::reverse(lines.begin(), lines.end());
    }
    std::string text = "smiles\n";
    for (const std::string& line : lines) {
      text += line + '\n';
    }
    const Outcome outcome = domain_of(place_.file("list.csv", text));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Table table(place_.path("domain.csv"));
    std::vector<std::string> own(absurd.size());
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const auto found = std::find(absurd.begin(), absurd.end(), table.cell(row, "smiles"));
      if (found != absurd.end()) {
        EXPECT_EQ(table.cell(row, "domain"), "outside") << *found;
        own[static_cast<std::size_t>(found - absurd.begin())] = table.cell(row, "domain_p_value");
      }
    }
    EXPECT_TRUE(p_values.empty() || own == p_values);
    p_values = own;
    EXPECT_THAT(outcome.out, HasSubstr(others == 250 ? "about 3 would be outside" : "would be outside"));
  }
}

/// Thirty training molecules are too few for the verdict outside at the level 0.01, but enough for borderline
/// verdicts.
TEST_F(DomainTest, ATrainingSetThatIsTooSmallForTheLevelIsNamed) {
  std::string text = "smiles\n";
  for (int chain = 1; chain <= 30; ++chain) {
    text += std::string(static_cast<std::size_t>(chain), 'C') + "O\n";
  }
  const std::string small = place_.file("small.csv", text);
  const Outcome outcome =
      domain({small, candidates_, "--encoder", "ecfp", "--out", place_.path("domain.csv")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("no candidate can be outside by its distance at level 0.01"));
  EXPECT_THAT(outcome.out, HasSubstr("No candidate can be outside by its distance at level 0.01"));
  EXPECT_THAT(outcome.out, HasSubstr("at least 40 distinct training molecules"));
  EXPECT_THAT(read_file(place_.path("domain.html")), HasSubstr("No candidate can be outside"));
  EXPECT_EQ(Table(place_.path("domain.csv")).cell(2, "domain"), "borderline");
}

TEST_F(DomainTest, EveryMethodFindsThePlatinum) {
  for (const char* const method :
       {"combined", "knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"}) {
    ASSERT_EQ(domain_of(candidates_, {"--method", method}).exit_code, 0) << method;
    const Table table(place_.path("domain.csv"));
    EXPECT_EQ(table.cell(0, "domain"), "inside") << method;
    EXPECT_EQ(table.cell(2, "domain"), "outside") << method;
  }
}

TEST_F(DomainTest, ASavedFolderGivesTheSameWithoutTheTrainingFile) {
  ASSERT_EQ(domain_of(candidates_, {"--save", place_.path("saved"), "--label-column", "value"}).exit_code, 0);
  const std::string first = read_file(place_.path("domain.csv"));
  std::filesystem::remove(training_);
  const Outcome outcome = domain({place_.path("saved"), candidates_, "--out", place_.path("again.csv")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_file(place_.path("again.csv")), first);
  const Outcome other =
      domain({place_.path("saved"), candidates_, "--method", "knn", "--out", place_.path("again.csv")});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("--method"));
}

/// `score` accepts the folder and gives the same results for each molecule as `domain`.
TEST_F(DomainTest, ASavedFolderIsARunForScore) {
  ASSERT_EQ(domain_of(candidates_, {"--save", place_.path("saved")}).exit_code, 0);
  const Table expected(place_.path("domain.csv"));
  const Outcome outcome =
      place_.score(place_.path("saved"), candidates_,
                   {"--out", place_.path("scores.csv"), "--page", place_.path("page.html")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("360 held-out molecules"));
  const Table scores(place_.path("scores.csv"));
  EXPECT_EQ(scores.columns, (std::vector<std::string>{"id", "smiles", "note", "domain_distance",
                                                      "domain_p_value", "in_training", "ood_prediction"}));
  ASSERT_EQ(scores.rows.size(), expected.rows.size());
  for (std::size_t row = 0; row < scores.rows.size(); ++row) {
    SCOPED_TRACE(scores.cell(row, "id"));
    EXPECT_EQ(scores.cell(row, "in_training"), expected.cell(row, "in_training"));
    if (scores.cell(row, "id") == "bad") {
      EXPECT_EQ(scores.cell(row, "domain_distance"), "");
      EXPECT_EQ(scores.cell(row, "ood_prediction"), "");
      continue;
    }
    EXPECT_NEAR(std::stod(scores.cell(row, "domain_distance")),
                std::stod(expected.cell(row, "domain_distance")), 1e-4);
    const double p_value = std::stod(scores.cell(row, "domain_p_value"));
    EXPECT_NEAR(p_value, std::stod(expected.cell(row, "domain_p_value")), 1e-5);
    EXPECT_EQ(scores.cell(row, "ood_prediction"), p_value <= 0.05 ? "1" : "0");
  }
  EXPECT_EQ(scores.cell(0, "in_training"), "yes");
  EXPECT_EQ(scores.cell(0, "domain_p_value"), "1");
  EXPECT_EQ(scores.cell(2, "ood_prediction"), "1");
  const std::string page = read_file(place_.path("page.html"));
  EXPECT_THAT(page, HasSubstr("its nearest training molecules"));
  EXPECT_THAT(page, HasSubstr("new elements: Pt"));
  EXPECT_THAT(page, HasSubstr("<canvas id=\"map\""));
  const Outcome other = place_.score(place_.path("saved"), candidates_, {"--encoder", "minimol"});
  EXPECT_EQ(other.exit_code, 2);
  const Outcome method = place_.score(place_.path("saved"), candidates_, {"--method", "knn"});
  EXPECT_EQ(method.exit_code, 2);
}

/// A plan names every phase and the required budget.
TEST_F(DomainTest, MemoryPlanNamesThePhases) {
  const Outcome outcome =
      molgauge({"memory", "plan", "domain", training_, candidates_, "--encoder", "ecfp", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto plans = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[2]["work"], "comparing with the training molecules");
  EXPECT_EQ(plans[2]["items"], 6);
  const Outcome small = molgauge(
      {"memory", "plan", "domain", training_, candidates_, "--encoder", "ecfp", "--memory-budget", "1MiB"});
  EXPECT_EQ(small.exit_code, 4);
  ASSERT_EQ(domain_of(candidates_, {"--save", place_.path("saved")}).exit_code, 0);
  const Outcome saved = molgauge({"memory", "plan", "domain", place_.path("saved"), candidates_});
  ASSERT_EQ(saved.exit_code, 0) << saved.err;
  EXPECT_THAT(saved.out, HasSubstr("the candidates"));
  EXPECT_THAT(saved.out, Not(HasSubstr("the training molecules\n")));
}

TEST_F(DomainTest, TheHelpNamesEveryMethod) {
  const std::string help = domain({"--help"}).out;
  const Outcome refused = domain_of(candidates_, {"--method", "none"});
  ASSERT_EQ(refused.exit_code, 2);
  for (const std::string_view name : kWords<DomainMethod>) {
    EXPECT_THAT(help, HasSubstr(name));
    EXPECT_THAT(refused.err, HasSubstr(name));
  }
}

TEST_F(DomainTest, TrainingMoleculesFromAPipeAreRefused) {
  ASSERT_EQ(mkfifo(place_.path("pipe").c_str(), 0600), 0);
  const Outcome outcome = domain({place_.path("pipe"), candidates_, "--encoder", "ecfp"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("is a pipe"));
}

TEST_F(DomainTest, WithoutALabelColumnThereAreNoValues) {
  ASSERT_EQ(domain_of(candidates_).exit_code, 0);
  const Table table(place_.path("domain.csv"));
  EXPECT_THAT(table.columns, Not(testing::Contains("nearest_1_value")));
  const std::string page = read_file(place_.path("domain.html"));
  EXPECT_THAT(page, Not(HasSubstr("Measured value")));
}

TEST_F(DomainTest, ValuesMayHaveAPlusSignAndAreRefusedIfTheirSquaresAreNoNumbers) {
  const std::string signed_values = place_.file("plus.csv", "smiles,value\nCCO,+1.0\nCCN,many\n");
  EXPECT_THAT(domain({signed_values, candidates_, "--label-column", "value", "--encoder", "ecfp"}).err,
              HasSubstr("plus.csv:3"));
  const std::string large = place_.file("large.csv", "smiles,value\nCCO,1\nCCN,1e308\n");
  const Outcome outcome = domain({large, candidates_, "--label-column", "value", "--encoder", "ecfp"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("large.csv:3"), HasSubstr("too large")));
}

TEST_F(DomainTest, ValuesAddTheErrorThatIsExpected) {
  ASSERT_EQ(domain_of(candidates_, {"--label-column", "value"}).exit_code, 0);
  const Table table(place_.path("domain.csv"));
  EXPECT_NE(table.cell(1, "domain_expected_error"), "");
  EXPECT_EQ(table.cell(3, "domain_expected_error"), "");
  // Each neighbour has the value from its row in the training file.
  std::map<std::string, std::string> value_of;
  const Table training(training_);
  for (std::size_t row = 0; row < training.rows.size(); ++row) {
    value_of[training.cell(row, "name")] = training.cell(row, "value");
  }
  for (const std::string place : {"1", "2", "3"}) {
    const std::string prefix = "nearest_" + place;
    EXPECT_NEAR(std::stod(table.cell(1, prefix + "_value")),
                std::stod(value_of.at(table.cell(1, prefix + "_name"))), 1e-9);
    EXPECT_EQ(table.cell(3, prefix + "_value"), "") << "unreadable";
  }
  const auto json = nlohmann::json::parse(read_file(place_.path("domain.json")));
  EXPECT_EQ(json["label_curve"]["column"], "value");
  EXPECT_GE(json["label_curve"]["bins"].size(), 5U);
  const std::string wrong = place_.file("wrong.csv", read_file(training_) + "CCCCN,odd,many\n");
  const Outcome outcome = domain({wrong, candidates_, "--label-column", "value", "--encoder", "ecfp", "--out",
                                  place_.path("domain.csv")});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("wrong.csv:362"));
}

TEST_F(DomainTest, TakesStandardInputAndSdf) {
  CommandOptions options;
  options.stdin_text = "CCCCO butanol\n[Pt] metal\n";
  ASSERT_EQ(domain_of("-", {}, options).exit_code, 0);
  const Table table(place_.path("domain.csv"));
  EXPECT_EQ(table.cell(0, "name"), "butanol");
  EXPECT_EQ(table.cell(1, "smiles"), "[Pt]");

  const std::string block =
      "ethanol\n\n\n  3  2  0  0  0  0            999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n    "
      "1.0000    0.0000    "
      "0.0000 C   0  0\n    2.0000    0.0000    0.0000 O   0  0\n  1  2  1  0\n  2  3  1  0\nM  END\n> "
      "<note>\nfirst\n\n$$$$\n";
  ASSERT_EQ(domain_of(place_.file("two.sdf", block + block)).exit_code, 0);
  const Table sdf(place_.path("domain.csv"));
  EXPECT_EQ(sdf.columns[0], "name");
  EXPECT_EQ(sdf.cell(1, "name"), "ethanol");
  EXPECT_EQ(sdf.cell(1, "note"), "first");
  EXPECT_EQ(sdf.cell(1, "smiles"), "CCO");

  std::string other = block;
  other.replace(other.find("<note>"), 6, "<smiles>");
  ASSERT_EQ(domain_of(place_.file("other.sdf", block + other)).exit_code, 0);
  const Table both(place_.path("domain.csv"));
  EXPECT_EQ(both.cell(1, "smiles"), "first") << "the data field";
  EXPECT_EQ(both.cell(1, "smiles_2"), "CCO");
}

TEST_F(DomainTest, RefusesWhatCannotBeAnswered) {
  const auto refused = [&](const std::string& training, const std::string& candidates) {
    return domain({training, candidates, "--encoder", "ecfp", "--out", place_.path("domain.csv")});
  };
  const Outcome one = refused(place_.file("one.smi", "CCO\n"), candidates_);
  EXPECT_EQ(one.exit_code, 3);
  EXPECT_THAT(one.err, HasSubstr("1 distinct training molecule"));
  const Outcome three = refused(place_.file("three.smi", "CCO\nCCN\nCCC\n"), candidates_);
  EXPECT_EQ(three.exit_code, 3);
  EXPECT_THAT(three.err, HasSubstr("at least 20"));
  std::string equal;
  for (int i = 0; i < 50; ++i) {
    equal += i % 2 == 0 ? "CCO\n" : "OCC\n";
  }
  const Outcome same = refused(place_.file("equal.smi", equal), candidates_);
  EXPECT_EQ(same.exit_code, 3);
  EXPECT_THAT(same.err, HasSubstr("1 distinct training molecule"));
  const Outcome none = refused(training_, place_.file("none.smi", "nothing\nat-all\n"));
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("none of 2 records"));
  EXPECT_FALSE(std::filesystem::exists(place_.path("domain.csv")));
  const Outcome taken = refused(training_, place_.file("taken.csv", "smiles,domain\nCCO,1\n"));
  EXPECT_EQ(taken.exit_code, 3);
  EXPECT_THAT(taken.err, HasSubstr("has a column domain, which is also a column of the result"));
  EXPECT_EQ(domain_of(candidates_, {"--level", "0.1", "--borderline-level", "0.05"}).exit_code, 2);
  EXPECT_EQ(domain_of(candidates_, {"--method", "best"}).exit_code, 2);
  EXPECT_EQ(domain_of(candidates_, {"--memory-budget", "1MiB"}).exit_code, 4);
}

TEST_F(DomainTest, GivesTheSameBytesOnAnyNumberOfThreadsAndAfterKills) {
  const std::string many = place_.nci_molecules(800);
  ASSERT_EQ(domain_of(many, {"--threads", "2"}).exit_code, 0);
  const std::string expected = read_file(place_.path("domain.csv")),
                    page = read_file(place_.path("domain.html"));
  std::filesystem::remove(place_.path("domain.csv"));
  int killed = 0;
  for (int tries = 0; tries < 4; ++tries) {
    CommandOptions options;
    options.kill_after = std::chrono::milliseconds(100 + 150 * tries);
    killed += domain_of(many, {"--threads", "1"}, options).signal != 0 ? 1 : 0;
  }
  EXPECT_GT(killed, 0);
  ASSERT_EQ(domain_of(many, {"--threads", "1"}).exit_code, 0);
  EXPECT_EQ(read_file(place_.path("domain.csv")), expected);
  EXPECT_EQ(read_file(place_.path("domain.html")), page);
}

/// The page shows markup in names and notes as text. The test opens it at two widths.
TEST_F(DomainTest, ThePageShowsMarkupAndFitsScreens) {
  std::string hostile = "smiles,name\n";
  for (int i = 0; i < 1203; ++i) {
    hostile += "C" + std::string(static_cast<std::size_t>(i % 30), 'C') +
               "Br,\"<script>window.hacked=1</script><img src=x onerror=window.hacked=1> </script> " +
               std::to_string(i) + "\"\n";
  }
  ASSERT_EQ(domain_of(place_.file("hostile.csv", hostile), {"--label-column", "value"}).exit_code, 0);
  const std::string html = read_file(place_.path("domain.html"));
  EXPECT_THAT(html, Not(HasSubstr("<script>window.hacked")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, HasSubstr("\\u003cscript>window.hacked"));
  if (!has_browser()) {
    GTEST_SKIP() << "chromium is not installed (scripts/setup --developer)";
  }
  EXPECT_EQ(browser_verdict(MOLGAUGE_DOMAIN_CHECK, place_.path("")), "looked at 2 widths\n");
}

/// The printed page contains every candidate with the measured values of its nearest training molecules.
TEST_F(DomainTest, APrintContainsEveryCandidate) {
  if (!has_browser() || !has_pdf_reader()) {
    GTEST_SKIP() << "chromium or pdftotext is not installed (scripts/setup --developer)";
  }
  std::string list = "smiles,name\n";
  for (int i = 0; i < 130; ++i) {
    list += "C" + std::string(static_cast<std::size_t>(i % 30), 'C') + "Br,candidate-" + std::to_string(i) +
            ".\n";
  }
  ASSERT_EQ(domain_of(place_.file("list.csv", list), {"--label-column", "value"}).exit_code, 0);
  const std::string text = printed_text(place_.path("domain.html"));
  for (int i = 0; i < 130; ++i) {
    EXPECT_THAT(text, HasSubstr("candidate-" + std::to_string(i) + "."));
  }
  EXPECT_THAT(text, HasSubstr("This print lists 130 candidates."));
  EXPECT_THAT(text, HasSubstr("Nearest training molecules"));
  EXPECT_THAT(text, HasSubstr("Tanimoto"));
  EXPECT_THAT(text, HasSubstr("How to read the numbers"));
  EXPECT_THAT(text, HasSubstr("SHA-256 of the training file")) << "the settings are unfolded";
}

}  // namespace
}  // namespace molgauge::test
