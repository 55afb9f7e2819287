// Tests `molgauge predict`.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "command.h"
#include "file_opens.h"
#include "molecules/chem/spellings.h"
#include "support/fixtures.h"
#include "support/instrumented.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string model(const std::string& name) { return (own_data("chemprop") / name).string(); }

/// Runs `molgauge predict` with the store of a workplace.
Outcome predict(const Workplace& place, std::vector<std::string> words, const CommandOptions& options = {}) {
  words.insert(words.begin(), "predict");
  words.insert(words.end(), {"--store", place.path("store")});
  return molgauge(words, options);
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) {
    lines.push_back(line);
  }
  return lines;
}

TEST(Predict, KeepsColumnsAndNamesFailures) {
  Workplace place;
  const std::string input = place.file("in.csv", "id,smiles,task_0\na,CCO,1\nb,C(C,2\nc,c1ccccc1,3\n");
  const std::string out = place.path("out.csv");
  const Outcome outcome = predict(place, {model("v2_regression.pt"), input, "--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "id,smiles,task_0,task_0_2,parent_prediction_differs");
  EXPECT_THAT(lines[1], StartsWith("a,CCO,1,"));
  EXPECT_GT(lines[1].size(), std::string("a,CCO,1,").size());
  EXPECT_EQ(lines[2], "b,C(C,2,,");
  EXPECT_THAT(read_file(place.path("out.failed.csv")), HasSubstr("3,C(C,"));
  EXPECT_THAT(outcome.err, HasSubstr("in.csv:3"));
}

TEST(Predict, TheStoreKeepsPredictionsOfTheSameModelAlone) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\nCCO\nCCN\nCCO\n");
  const auto again = [&](const std::string& name, const std::string& out) {
    const Outcome outcome = predict(place, {model(name), input, "--out", place.path(out)});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(again("v2_regression.pt", "first.csv"), HasSubstr("2 predicted now"));
  EXPECT_THAT(again("v2_regression.pt", "again.csv"), HasSubstr("0 predicted now"));
  EXPECT_THAT(again("v2_regression_b.pt", "other.csv"), HasSubstr("2 predicted now"));
  EXPECT_EQ(read_file(place.path("first.csv")), read_file(place.path("again.csv")));
  EXPECT_NE(read_file(place.path("first.csv")), read_file(place.path("other.csv")));
}

TEST(Predict, ReadsEachModelFileOnce) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\nCCO\n");
  const std::string folder = place.path("models");
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(model("v2_regression.pt"), folder + "/a.pt");
  std::filesystem::copy_file(model("v2_regression_b.pt"), folder + "/b.pt");
  const FileOpens first(folder + "/a.pt"), second(folder + "/b.pt");
  ASSERT_EQ(predict(place, {folder, input, "--out", place.path("out.csv")}).exit_code, 0);
  EXPECT_EQ(first.count(), 1);
  EXPECT_EQ(second.count(), 1);
}

TEST(Predict, ReadsStandardInput) {
  Workplace place;
  const std::string out = place.path("out.csv");
  CommandOptions piped;
  piped.stdin_text = "CCO ethanol\nC(\n";
  const Outcome outcome = predict(place, {model("v2_regression.pt"), "-", "--out", out}, piped);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], StartsWith("line,smiles,"));
  EXPECT_THAT(lines[0], testing::EndsWith(",task_0,parent_prediction_differs"));
  EXPECT_THAT(lines[1], StartsWith("1,CCO,ethanol,"));
  EXPECT_THAT(outcome.err, HasSubstr("-:2"));
}

TEST(Predict, RefusesIncompleteDrawings) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\n*CC(*)c1ccccc1\nCCO\n\"CCO |Sg:n:0,1:n:ht|\"\n");
  const Outcome outcome = predict(place, {model("v2_regression.pt"), input, "--out", place.path("out.csv")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(place.path("out.csv"));
  EXPECT_EQ(lines[1], "*CC(*)c1ccccc1,,");
  EXPECT_THAT(lines[2], StartsWith("CCO,"));
  EXPECT_NE(lines[2], "CCO,,");
  EXPECT_THAT(outcome.err, HasSubstr("atom 1 is a dummy"));
  EXPECT_THAT(outcome.err, HasSubstr("repeat unit of a polymer"));
}

TEST(Predict, WritesTheSpreadAndTheUncertaintyOfTheHead) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\nCCO\n");
  const std::string folder = place.path("models");
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(model("v2_regression.pt"), folder + "/a.pt");
  std::filesystem::copy_file(model("v2_regression_b.pt"), folder + "/b.pt");
  const auto header = [&](const std::string& from) {
    const Outcome outcome = predict(place, {from, input, "--out", place.path("out.csv")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::string line = lines_of(place.path("out.csv"))[0];
    const std::string last = ",parent_prediction_differs";
    EXPECT_THAT(line, testing::EndsWith(last));
    return line.substr(0, line.size() - last.size());
  };
  EXPECT_EQ(header(folder), "smiles,task_0,task_0_ensemble_std");
  EXPECT_EQ(header(model("v2_mve.pt")), "smiles,task_0,task_0_std,task_1,task_1_std");
  EXPECT_EQ(header(model("v2_evidential.pt")), "smiles,task_0,task_0_std,task_1,task_1_std");
  EXPECT_EQ(header(model("v2_quantile.pt")), "smiles,task_0,task_0_interval,task_1,task_1_interval");
  EXPECT_EQ(header(model("v2_binary_dirichlet.pt")),
            "smiles,task_0,task_0_uncertainty,task_1,task_1_uncertainty");
  EXPECT_EQ(header(model("v1_multiclass.pt")), "smiles,task_0_class_0,task_0_class_1,task_0_class_2");
  EXPECT_EQ(header(model("v2_lightning.ckpt")), "smiles,pred_0,pred_1");
}

/// The cells of a CSV file without quotes, row by row, with the header.
std::vector<std::vector<std::string>> table_of(const std::string& file) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(file)) {
    std::istringstream text(line + ",");
    rows.emplace_back();
    for (std::string cell; std::getline(text, cell, ',');) {
      rows.back().push_back(cell);
    }
  }
  return rows;
}

TEST(Predict, ChecksSpellings) {
  Workplace place;
  const std::string alanine = "C[C@H](N)C(=O)O";
  const std::string input = place.file("in.csv", "smiles\n" + alanine + "\nCCO\nC(C\nC[C@@H](F)O\nF/C=C/F\n");
  const std::string out = place.path("out.csv");
  const auto check = [&] {
    return predict(place, {model("v2_lightning.ckpt"), input, "--out", out, "--check-spellings"});
  };
  const Outcome outcome = check();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the predictions of 2 chiral molecules depend on the spelling"));
  EXPECT_THAT(outcome.err, HasSubstr("pred_1"));
  const auto rows = table_of(out);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"smiles", "pred_0", "spelling_spread_pred_0", "pred_1",
                                               "spelling_spread_pred_1", "parent_prediction_differs"}));
  for (const std::size_t row : {2U, 3U, 5U}) {  // not chiral, or not a molecule
    EXPECT_EQ(rows[row][2], "") << row;
    EXPECT_EQ(rows[row][4], "") << row;
  }
  EXPECT_GT(std::stod(rows[4][2]), 0);

  // The spread is the range of the predictions for several spellings of a molecule. The test puts the same
  // spellings into a file as separate molecules, predicts them, and compares the range of their predictions
  // with the spread.
  chem::MoleculeRecord record;
  record.text = alanine;
  std::string spellings = "smiles\n" + alanine + "\n";
  for (const std::string& spelling : chem::other_spellings(record, 4)) {
    spellings += spelling + "\n";
  }
  ASSERT_EQ(predict(place, {model("v2_lightning.ckpt"), place.file("spellings.csv", spellings), "--out",
                            place.path("each.csv")})
                .exit_code,
            0);
  double least = 1e9, most = -1e9;
  const auto each = table_of(place.path("each.csv"));
  ASSERT_EQ(each.size(), 6U);
  for (std::size_t row = 1; row < each.size(); ++row) {
    least = std::min(least, std::stod(each[row][1]));
    most = std::max(most, std::stod(each[row][1]));
  }
  EXPECT_GT(most, least);
  EXPECT_NEAR(std::stod(rows[1][2]), most - least, 1e-5);

  const std::string first = read_file(out);
  EXPECT_THAT(check().out, HasSubstr("0 predicted now"));
  EXPECT_EQ(read_file(out), first);
}

TEST(Predict, ChecksSpellingsOfListsWithoutChiralMoleculesAndOfClasses) {
  Workplace place;
  const std::string out = place.path("out.csv");
  const Outcome none = predict(place, {model("v2_regression.pt"), place.file("in.csv", "smiles\nCCO\n"),
                                       "--out", out, "--check-spellings"});
  ASSERT_EQ(none.exit_code, 0) << none.err;
  EXPECT_THAT(none.err, testing::Not(HasSubstr("depend on the spelling")));
  EXPECT_EQ(table_of(out)[0][2], "spelling_spread_task_0");
  const std::string chiral = place.file("chiral.csv", "smiles\nC[C@H](N)C(=O)O\n");
  ASSERT_EQ(predict(place, {model("v1_multiclass.pt"), chiral, "--out", out, "--check-spellings"}).exit_code,
            0);
  const auto rows = table_of(out);
  EXPECT_EQ(rows[0][4], "spelling_spread_task_0");
  EXPECT_GE(std::stod(rows[1][4]), 0);
  EXPECT_LE(std::stod(rows[1][4]), 1);
  const Outcome refused = predict(place, {model("v2_rigr.pt"), chiral, "--out", out, "--check-spellings"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--check-spellings has no effect on this model"));
}

TEST(Predict, PlansItsMemory) {
  Workplace place;
  std::string molecules = "smiles\n";
  for (int i = 1; i < 200; ++i) {
    molecules += "C[C@H](" + std::string(static_cast<std::size_t>(i % 40 + 1), 'C') + "Cl)C(=O)O\n";
  }
  const std::string input = place.file("in.csv", molecules), out = place.path("out.csv");
  const auto plan = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"memory", "plan",  "predict", model("v2_regression.pt"),
                                      input,    "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = molgauge(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto one = plan({}), both = plan({"--check-spellings"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0]["work"], "predict with chemprop");
  EXPECT_EQ(one[0]["items"], 199);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[1]["work"], "predict other spellings with chemprop");
  EXPECT_EQ(both[1]["items"], 796);
  EXPECT_EQ(plan({"--standardize", "parent"}).size(), 1U);
  if (is_instrumented()) {
    GTEST_SKIP() << "a sanitizer needs more than this budget";
  }
  // With a budget slightly above the planned budget, the command succeeds and writes the same bytes as
  // without a budget.
  ASSERT_EQ(predict(place, {model("v2_regression.pt"), input, "--out", out, "--check-spellings"}).exit_code,
            0);
  const std::string expected = read_file(out);
  std::filesystem::remove_all(place.path("store"));
  const auto budget = both[0]["smallest_process_budget_bytes"].get<std::uint64_t>();
  const Outcome small =
      predict(place, {model("v2_regression.pt"), input, "--out", out, "--check-spellings", "--threads", "1",
                      "--memory-budget", std::to_string(budget + (std::uint64_t{8} << 20))});
  EXPECT_EQ(small.exit_code, 0) << small.err;
  EXPECT_EQ(read_file(out), expected);
  const Outcome tiny = predict(place, {model("v2_regression.pt"), input, "--out", out, "--check-spellings",
                                       "--memory-budget", "1MiB"});
  EXPECT_EQ(tiny.exit_code, 4) << tiny.err;
}

/// Drawings of procainamide that are not its parent: with charges, with hydrogen chloride, as a hydrate, and
/// twice with a divalent counter-ion.
const std::vector<std::string> kSalts = {
    "CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.[Cl-]", "CCN(CC)CCNC(=O)c1ccc(N)cc1.Cl", "O.CCN(CC)CCNC(=O)c1ccc(N)cc1",
    "CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.[O-]S(=O)(=O)[O-]"};
const char* const kProcainamide = "CCN(CC)CCNC(=O)c1ccc(N)cc1";

std::string list_of_salts() {
  std::string list = std::string("smiles\n") + kProcainamide + "\nCCO\nC(C\n";
  for (const std::string& salt : kSalts) {
    list += salt + "\n";
  }
  return list;
}

TEST(Predict, MarksRowsWhoseParentHasAnotherPrediction) {
  Workplace place;
  const std::string input = place.file("in.csv", list_of_salts()), out = place.path("out.csv");
  const auto run = [&] { return predict(place, {model("v2_regression.pt"), input, "--out", out}); };
  const Outcome outcome = run();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = table_of(out);
  ASSERT_EQ(rows.size(), 4 + kSalts.size());
  EXPECT_EQ(rows[0], (std::vector<std::string>{"smiles", "task_0", "parent_prediction_differs"}));
  std::size_t marked = 0;
  double largest = 0;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    // The values in the training of this model had a standard deviation of 2.6967.
    const double difference = row < 4 ? 0 : std::abs(std::stod(rows[row][1]) - std::stod(rows[1][1]));
    EXPECT_EQ(rows[row][2], difference > 0.26967 ? "yes" : "") << rows[row][0];
    marked += rows[row][2] == "yes" ? 1 : 0;
    largest = std::max(largest, difference);
  }
  EXPECT_GT(marked, 0U);
  EXPECT_THAT(outcome.err, HasSubstr("not drawn as the parent (neutral, without counter-ions): 4 of 7"));
  EXPECT_THAT(outcome.err, HasSubstr("the predictions of " + std::to_string(marked) + " row"));
  EXPECT_THAT(outcome.err, HasSubstr("To predict the parents, add --standardize parent"));
  EXPECT_THAT(outcome.err, HasSubstr(std::string(" for ") + kProcainamide));
  EXPECT_THAT(outcome.err, HasSubstr("in.csv:"));

  // The predictions for the parents are in the store. A list without salts is not predicted twice.
  const std::string first = read_file(out);
  EXPECT_THAT(run().out, HasSubstr("0 predicted now"));
  EXPECT_EQ(read_file(out), first);
  const Outcome plain =
      predict(place, {model("v2_regression.pt"), place.file("plain.csv", "smiles\nCCO\n"), "--out", out});
  EXPECT_THAT(plain.err, testing::Not(HasSubstr("parent")));
}

TEST(Predict, ComparesProbabilitiesWithParents) {
  Workplace place;
  // Ethylamine, its tartrate and its hydrochloride.
  const std::string input = place.file("in.csv", "smiles\nCCN\nCCN.OC(=O)C(O)C(O)C(=O)O\nCC[NH3+].[Cl-]\n");
  const std::string out = place.path("out.csv");
  std::size_t marked = 0;
  for (const char* const name : {"v2_binary.pt", "v1_multiclass.pt"}) {
    SCOPED_TRACE(name);
    ASSERT_EQ(predict(place, {model(name), input, "--out", out}).exit_code, 0);
    const auto rows = table_of(out);
    const std::size_t last = rows[0].size() - 1;
    for (std::size_t row = 2; row < rows.size(); ++row) {
      double difference = 0;
      for (std::size_t column = 1; column < last; ++column) {
        difference =
            std::max(difference, std::abs(std::stod(rows[row][column]) - std::stod(rows[1][column])));
      }
      EXPECT_EQ(rows[row][last], difference > 0.1 ? "yes" : "") << rows[row][0] << " " << difference;
      marked += rows[row][last] == "yes" ? 1 : 0;
    }
  }
  EXPECT_EQ(marked, 2U);
}

TEST(Predict, PredictsStandardisedMolecules) {
  Workplace place;
  const std::string input = place.file("in.csv", list_of_salts()), out = place.path("out.csv");
  const auto predicted = [&](const std::string& form, const std::string& from) {
    const Outcome outcome = predict(
        place, {model("v2_lightning.ckpt"), from, "--out", out, "--standardize", form, "--check-spellings"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    if (form != "none" && from == input) {
      EXPECT_THAT(outcome.err, HasSubstr("(--standardize parent): 4 of 7"));
    }
    return table_of(out);
  };
  const auto parents = predicted("parent", input);
  EXPECT_EQ(parents[0].back(), "spelling_spread_pred_1");  // no column parent_prediction_differs
  EXPECT_EQ(parents[3][1], "");
  for (std::size_t row = 4; row < parents.size(); ++row) {
    EXPECT_NEAR(std::stod(parents[row][1]), std::stod(parents[1][1]), 1e-4) << parents[row][0];
    EXPECT_EQ(parents[row][0], kSalts[row - 4]);
  }
  EXPECT_EQ(predicted("none", input)[1][1], parents[1][1]);
  const std::string tautomers = place.file("tautomers.csv", "smiles\nOc1ccccn1\nO=c1cccc[nH]1\n");
  EXPECT_NE(predicted("parent", tautomers)[1][1], predicted("parent", tautomers)[2][1]);
  const auto canonical = predicted("tautomer", tautomers);
  EXPECT_NEAR(std::stod(canonical[1][1]), std::stod(canonical[2][1]), 1e-4);
}

TEST(Predict, PredictsSaltsInMolFiles) {
  Workplace place;
  const std::string salt =
      "salt\n\n\n  4  2  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 C   0  0\n"
      "    3.0000    0.0000    0.0000 N   0  0\n    6.0000    0.0000    0.0000 Cl  0  0\n"
      "  1  2  1  0\n  2  3  1  0\nM  CHG  2   3   1   4  -1\nM  END\n$$$$\n";
  const std::string out = place.path("out.csv");
  const Outcome outcome =
      predict(place, {model("v2_regression.pt"), place.file("in.sdf", salt), "--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("without counter-ions): 1 of 1"));
  ASSERT_EQ(predict(place, {model("v2_regression.pt"), place.path("in.sdf"), "--out", out, "--standardize",
                            "parent"})
                .exit_code,
            0);
  const auto rows = table_of(out);
  EXPECT_EQ(rows[0].back(), "task_0");
  ASSERT_EQ(predict(place, {model("v2_regression.pt"), place.file("parent.csv", "smiles\nCCN\n"), "--out",
                            place.path("parent_out.csv")})
                .exit_code,
            0);
  EXPECT_NEAR(std::stod(rows[1].back()), std::stod(table_of(place.path("parent_out.csv"))[1][1]), 1e-4);
}

/// The predictions of chemprop for the molecules in descriptors.csv.
void expect_predictions_of_chemprop(const std::string& file, const std::string& name,
                                    const std::vector<std::string>& columns) {
  const auto found = table_of(file), expected = table_of(model(name + ".csv"));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t task = 0; task < columns.size(); ++task) {
    const auto column = std::find(found[0].begin(), found[0].end(), columns[task]) - found[0].begin();
    ASSERT_LT(column, static_cast<std::ptrdiff_t>(found[0].size())) << columns[task];
    for (std::size_t row = 1; row < found.size(); ++row) {
      const double wanted = std::stod(expected[row][1 + task]);
      EXPECT_NEAR(std::stod(found[row][static_cast<std::size_t>(column)]), wanted,
                  1e-5 * std::max(1.0, std::abs(wanted)))
          << name << " " << found[row][0];
    }
  }
}

TEST(Predict, ComputesRdkit2dDescriptors) {
  Workplace place;
  const std::string input = model("descriptors.csv"), out = place.path("out.csv");
  Outcome outcome = predict(place, {model("v1_rdkit_2d.pt"), input, "--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_predictions_of_chemprop(out, "v1_rdkit_2d", {"task_0"});
  outcome =
      predict(place, {model("v2_rdkit_2d.pt"), input, "--descriptor-columns", "rdkit_2d", "--out", out});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_predictions_of_chemprop(out, "v2_rdkit_2d", {"task_0"});
}

TEST(Predict, ComputesTheDescriptorsOfThePredictedForm) {
  Workplace place;
  const std::string salt = place.path("salt.csv"), acid = place.path("acid.csv");
  std::ofstream(salt) << "smiles\n[Na+].CC(=O)[O-]\nnot a molecule\n";
  std::ofstream(acid) << "smiles\nCC(=O)O\n";
  const auto prediction = [&](const std::string& input, const std::string& form) {
    const std::string out = place.path("out.csv");
    const Outcome outcome =
        predict(place, {model("v1_rdkit_2d.pt"), input, "--standardize", form, "--out", out});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return table_of(out).at(1).at(1);
  };
  EXPECT_EQ(prediction(salt, "parent"), prediction(acid, "none"));
  EXPECT_NE(prediction(salt, "none"), prediction(acid, "none"));
}

TEST(Predict, ExplainsWhichDescriptorsItComputes) {
  Workplace place;
  const std::string input = model("descriptors.csv"), out = place.path("out.csv");
  const auto refusal = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words = {model(name), input, "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = predict(place, words);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal("v2_rdkit_2d.pt", {}), HasSubstr("--descriptor-columns rdkit_2d"));
  EXPECT_THAT(refusal("normalized_rdkit_2d.pt", {}), HasSubstr("RDKit2DNormalized of descriptastorus"));
  EXPECT_THAT(refusal("v2_descriptors.pt", {"--descriptor-columns", "rdkit_2d"}),
              HasSubstr("takes 3 descriptors, but rdkit_2d has 200"));
  EXPECT_THAT(refusal("v2_rdkit_2d.pt", {"--descriptor-columns", "v1_rdkit_2d"}), HasSubstr("217"));
}

TEST(Predict, TakesDescriptorsFromColumns) {
  Workplace place;
  const std::string input = model("descriptors.csv"), out = place.path("out.csv");
  const auto run = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words = {name, input, "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = predict(place, words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  };
  run(model("v2_descriptors.pt"), {"--descriptor-columns", "a,b,c"});
  expect_predictions_of_chemprop(out, "v2_descriptors", {"task_0", "task_1"});
  EXPECT_EQ(table_of(out)[0], (std::vector<std::string>{"smiles", "a", "b", "c", "task_0", "task_1",
                                                        "parent_prediction_differs"}));
  run(model("v1_descriptors.pt"), {"--descriptor-columns", "a", "--descriptor-columns", "b,c"});
  expect_predictions_of_chemprop(out, "v1_descriptors", {"task_0", "task_1"});
  run(model("v1_unscaled_descriptors.pt"), {"--descriptor-columns", "a,c"});
  expect_predictions_of_chemprop(out, "v1_unscaled_descriptors", {"task_0"});
  run(model("v2_unscaled_descriptors.ckpt"), {"--descriptor-columns", "a,c", "--check-spellings"});
  expect_predictions_of_chemprop(out, "v2_unscaled_descriptors", {"pred_0"});
  const auto rows = table_of(out);
  const auto spread = static_cast<std::size_t>(
      std::find(rows[0].begin(), rows[0].end(), "spelling_spread_pred_0") - rows[0].begin());
  ASSERT_LT(spread, rows[0].size());
  std::size_t chiral = 0;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    chiral += rows[row].at(spread).empty() ? 0 : 1;
  }
  EXPECT_EQ(chiral, 3U);

  // If the descriptors of a molecule change, its encoding is reused.
  const std::string swapped = "--descriptor-columns=c,a";
  EXPECT_THAT(run(model("v2_unscaled_descriptors.ckpt"), {swapped}).out, HasSubstr("0 predicted now"));
  EXPECT_NE(table_of(out)[1][4], rows[1][4]);

  const std::string folder = place.path("models");
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(model("v2_descriptors.pt"), folder + "/a.pt");
  std::filesystem::copy_file(model("v2_descriptors_b.pt"), folder + "/b.pt");
  run(folder, {"--descriptor-columns", "a,b,c"});
  const auto first = table_of(model("v2_descriptors.csv")), second = table_of(model("v2_descriptors_b.csv"));
  const auto both = table_of(out);
  EXPECT_EQ(both[0][5], "task_0_ensemble_std");
  for (std::size_t row = 1; row < both.size(); ++row) {
    EXPECT_NEAR(std::stod(both[row][4]), (std::stod(first[row][1]) + std::stod(second[row][1])) / 2, 1e-4);
  }
}

TEST(Predict, RefusesWrongDescriptors) {
  Workplace place;
  const std::string out = place.path("out.csv");
  const std::string input = place.file("in.csv", "smiles,a,b,c\nCCO,1,2,3\nCCN,1,x,3\nCCC,1,2,\n");
  const auto refused = [&](const std::string& name, const std::string& columns, int exit_code) {
    std::vector<std::string> words = {model(name), input, "--out", out};
    if (!columns.empty()) {
      words.insert(words.end(), {"--descriptor-columns", columns});
    }
    const Outcome outcome = predict(place, words);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
    return outcome.err;
  };
  const std::string none = refused("v2_descriptors.pt", "", 2);
  EXPECT_THAT(none, HasSubstr("takes 3 descriptors"));
  EXPECT_THAT(none, HasSubstr("--descriptor-columns a,b,c"));
  const std::string two = refused("v2_descriptors.pt", "a,c", 2);
  EXPECT_THAT(two, HasSubstr("names 2 columns, but the model takes 3 descriptors"));
  EXPECT_THAT(refused("v2_regression.pt", "a", 2), HasSubstr("has no effect"));
  const std::string text = refused("v2_unscaled_descriptors.ckpt", "a,b", 3);
  EXPECT_THAT(text, HasSubstr("in.csv:3: 'x' in the column b is not a number. Correct it\n"));
  const std::string empty = refused("v2_unscaled_descriptors.ckpt", "a,c", 3);
  EXPECT_THAT(empty, HasSubstr("in.csv:4: the column c is empty"));
  EXPECT_THAT(refused("v2_unscaled_descriptors.ckpt", "a,d", 3), HasSubstr("no column \"d\""));
}

TEST(Predict, RefusesWrongRequests) {
  Workplace place;
  const std::string input = place.file("in.csv", "smiles\nCCO\n");
  const auto refused = [&](const std::vector<std::string>& words, int exit_code, const std::string& reason) {
    const Outcome outcome = predict(place, words);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(reason));
  };
  const std::string out = place.path("out.csv");
  refused({model("v2_regression.pt"), input, "--out", place.path("out.npy")}, 2, "ends in .csv");
  refused({model("v2_regression.pt"), input, "--out", out, "--device", "cuda"}, 2, "runs on the CPU");
  refused({place.path("absent.pt"), input, "--out", out}, 3, "no such file");
  refused({input, model("v2_regression.pt"), "--out", out}, 2, "Give the model first");
  refused({model("refused_command.pt"), input, "--out", out}, 3, "torch.load()");
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace molgauge::test
