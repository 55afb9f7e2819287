// Tests how `molgauge domain` judges the predictions of a user's model.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "page_data.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

class PredictionsTest : public testing::Test {
 protected:
  struct Molecule {
    std::string smiles;
    double measured = 0;
  };

  /// Chains with rings and end groups in random order. The measured value is a function of the structure plus
  /// noise.
  static std::vector<Molecule> molecules() {
    std::vector<Molecule> all;
    std::mt19937 random(1);
    std::normal_distribution<double> noise;
    const std::vector<std::string> rings = {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1",    "c1ccsc1",
                                            "c1ccoc1",  "C1CCNCC1", "C1COCCN1", "[nH]1cncc1", "C1CCC1"};
    const std::vector<std::string> ends = {"O", "N", "C(=O)O", "C#N", "Cl", "F"};
    for (std::size_t chain = 1; chain <= 9; ++chain) {
      for (std::size_t end = 0; end < ends.size(); ++end) {
        for (std::size_t ring = 0; ring < rings.size(); ++ring) {
          const double value = 0.4 * static_cast<double>(chain) + 0.2 * static_cast<double>(ring + end);
          all.push_back({rings[ring] + std::string(chain, 'C') + ends[end], value + 0.5 * noise(random)});
        }
      }
    }
    std::shuffle(all.begin(), all.end(), random);
    return all;
  }

  /// A table of the molecules starting at `first`. `error`: standard deviation of the prediction errors.
  std::string table(const std::string& name, std::size_t first, std::size_t count, double error,
                    bool are_classes = false) const {
    std::mt19937 random(static_cast<std::uint32_t>(first) + 7);
    std::normal_distribution<double> noise;
    std::string text = "smiles,y,y_pred,s,low,high\n";
    const auto all = molecules();
    for (std::size_t i = first; i < first + count; ++i) {
      const double prediction = all[i].measured + error * noise(random);
      if (are_classes) {
        text += fmt::format("{},{},{:.6f},1,0,1\n", all[i].smiles, all[i].measured > 2.8 ? 1 : 0,
                            1 / (1 + std::exp(-3 * (prediction - 2.8))));
      } else {
        text +=
            fmt::format("{},{:.6f},{:.6f},{:.3f},{:.6f},{:.6f}\n", all[i].smiles, all[i].measured, prediction,
                        0.5 + 0.1 * std::abs(noise(random)), prediction - error, prediction + error);
      }
    }
    return place_.file(name, text);
  }

  Outcome domain(std::vector<std::string> words) const {
    words.insert(words.begin(), "domain");
    for (const std::string& word : {std::string("--store"), place_.path("store"), std::string("--log-level"),
                                    std::string("warn"), std::string("--out"), place_.path("domain.csv")}) {
      words.push_back(word);
    }
    return molgauge(words);
  }

  Outcome calibrate(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {train_, candidates_, "--encoder", "ecfp", "--calibration", calibration_,
                               "--label-column", "y", "--prediction-column", "y_pred"});
    return domain(more);
  }

  Outcome domain_without_predictions(const std::string& option, const std::string& value) const {
    return domain({train_, candidates_, "--encoder", "ecfp", option, value});
  }

  /// The cells of a column of the result.
  std::vector<std::string> cells(const std::string& column, const std::string& file = "domain.csv") const {
    io::CsvReader reader(place_.path(file), ',');
    const auto columns = reader.next()->fields;
    const auto found = std::find(columns.begin(), columns.end(), column) - columns.begin();
    EXPECT_LT(found, static_cast<std::ptrdiff_t>(columns.size())) << column;
    std::vector<std::string> result;
    while (const auto row = reader.next()) {
      result.push_back(row->fields[static_cast<std::size_t>(found)]);
    }
    return result;
  }

  /// Returns the numbers that the page of candidates shows for each candidate. The keys are SMILES.
  static std::map<std::string, nlohmann::json> facts_on(const std::string& page) {
    constexpr std::size_t kSmiles = 1, kFacts = 13;
    std::map<std::string, nlohmann::json> facts;
    const nlohmann::json data = data_of(read_file(page));
    for (const auto& row : data.at("rows")) {
      facts[row.at(kSmiles)] = row.at(kFacts);
    }
    EXPECT_FALSE(facts.empty());
    return facts;
  }

  nlohmann::json facts() const {
    return nlohmann::json::parse(read_file(place_.path("domain.json")))["predictions"];
  }

  /// The share of candidates whose interval contains y.
  double covered() const {
    const auto low = cells("prediction_lower"), high = cells("prediction_upper"), measured = cells("y");
    double count = 0;
    for (std::size_t i = 0; i < low.size(); ++i) {
      count +=
          std::stod(low[i]) <= std::stod(measured[i]) && std::stod(measured[i]) <= std::stod(high[i]) ? 1 : 0;
    }
    return count / static_cast<double>(low.size());
  }

  /// Replaces a cell of a table: `row` is counted from 1. Row 1 is the line after the header.
  static void set_cell(const std::string& path, std::size_t row, std::size_t column,
                       const std::string& text) {
    std::istringstream lines(read_file(path));
    std::string result, line;
    for (std::size_t number = 0; std::getline(lines, line); ++number) {
      if (number == row) {
        std::size_t from = 0;
        for (std::size_t i = 0; i < column; ++i) {
          from = line.find(',', from) + 1;
        }
        const std::size_t end = std::min(line.find(',', from), line.size());
        line = line.substr(0, from) + text + line.substr(end);
      }
      result += line + "\n";
    }
    replace_file(path, result);
  }

  Workplace place_;
  std::string train_ = table("train.csv", 0, 260, 0.1);
  std::string calibration_ = table("cal.csv", 260, 140, 0.6);
  std::string candidates_ = table("candidates.csv", 400, 140, 0.6);
};

TEST_F(PredictionsTest, IntervalsCoverCandidatesAndTheReportSaysHowWell) {
  const Outcome made = calibrate();
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("prediction intervals for a coverage of 90 %, an average over molecules "
                                  "like the calibration molecules"));
  EXPECT_NEAR(covered(), 0.9, 0.08);
  EXPECT_EQ(facts()["kind"], "regression");
  EXPECT_EQ(facts()["calibration"]["molecules"], 140);
  EXPECT_NEAR(facts()["cross_validation"]["coverage"]["share"].get<double>(), 0.9, 0.06);
  EXPECT_EQ(facts()["cross_validation"]["by_distance"].size(), 5U);
  for (const std::string& text : cells("prediction_conditions_met")) {
    EXPECT_THAT(text, testing::AnyOf("yes", "no"));
  }
}

/// The model card states the figures of domain.json.
TEST_F(PredictionsTest, AModelCardStatesDomainCoverageAndErrorByVerdict) {
  const std::string file = place_.path("card.md");
  const Outcome made = calibrate({"--card", file});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, testing::EndsWith("domain.html\n" + file + "\n"));
  const std::string card = read_file(file);
  const nlohmann::json domain = nlohmann::json::parse(read_file(place_.path("domain.json")));
  const nlohmann::json& validation = domain["predictions"]["cross_validation"];
  for (const std::string& text :
       {std::string("- Predictions: column `y_pred`"), std::string("- Endpoint: column `y`"),
        std::string("OECD principle 3"), domain["training"]["sha256"].get<std::string>(),
        domain["method"]["encoder_identity"].get<std::string>(),
        fmt::format("Verdicts: {} inside", domain["candidates"]["inside"].get<int>()),
        fmt::format("Measured coverage, five folds of whole scaffolds: {:.1f} %",
                    100 * validation["coverage"]["share"].get<double>())}) {
    EXPECT_THAT(card, HasSubstr(text));
  }
  const nlohmann::json& inside = validation["coverage_by_verdict"]["inside"];
  EXPECT_THAT(card, HasSubstr(fmt::format("| inside | {} |", inside["molecules"].get<int>())));
  EXPECT_THAT(card, HasSubstr(fmt::format("| {:.3g} |\n", inside["mean_absolute_error"].get<double>())));
  EXPECT_THAT(card, testing::Not(HasSubstr("null")));
  EXPECT_EQ(domain_without_predictions("--card", file).exit_code, 0);
  EXPECT_THAT(read_file(file), testing::Not(HasSubstr("OECD principle 4")));
}

/// The constant interval of crepes: y_pred -/+ the k-th largest error, k = int((1 - 0.9) * 141) = 14.
TEST_F(PredictionsTest, ConstantIntervalsAreThePlainConformalOnes) {
  ASSERT_EQ(calibrate({"--interval-method", "constant"}).exit_code, 0);
  std::vector<double> errors;
  io::CsvReader reader(calibration_, ',');
  reader.next();
  while (const auto row = reader.next()) {
    errors.push_back(std::abs(std::stod(row->fields[1]) - std::stod(row->fields[2])));
  }
  std::sort(errors.rbegin(), errors.rend());
  const auto low = cells("prediction_lower"), high = cells("prediction_upper"), predicted = cells("y_pred");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (cells("scaffold_in_training")[i] == "yes") {
      EXPECT_NEAR(std::stod(low[i]), std::stod(predicted[i]) - errors[13], 1e-9);
      EXPECT_NEAR(std::stod(high[i]), std::stod(predicted[i]) + errors[13], 1e-9);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST_F(PredictionsTest, EveryMethodOfIntervalsCovers) {
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--interval-method", "distance"},
           {"--interval-method", "mondrian"},
           {"--uncertainty-column", "s"},
           {"--uncertainty-column", "s", "--interval-method", "both"},
           {"--lower-column", "low", "--upper-column", "high", "--interval-method", "quantiles"}}) {
    const Outcome made = calibrate(more);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_NEAR(covered(), 0.9, 0.08) << more.back();
  }
}

TEST_F(PredictionsTest, ClassesGetSetsAndProbabilities) {
  calibration_ = table("cal.csv", 260, 140, 0.6, true);
  candidates_ = table("candidates.csv", 400, 140, 0.6, true);
  const Outcome made = calibrate({"--card", place_.path("card.md")});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(read_file(place_.path("card.md")),
              testing::AllOf(HasSubstr("Error rate of the model: "),
                             HasSubstr("Error rate of the more frequent class"),
                             HasSubstr("AUROC of the model: "), testing::Not(HasSubstr("not known")),
                             HasSubstr("| coverage (95 % interval) | error rate |")));
  const auto sets = cells("prediction_set"), measured = cells("y"), low = cells("probability_lower"),
             high = cells("probability_upper");
  double count = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    count += sets[i].find(measured[i]) != std::string::npos ? 1 : 0;
    EXPECT_LE(std::stod(low[i]), std::stod(high[i]));
  }
  EXPECT_NEAR(count / 140, 0.9, 0.08);
  EXPECT_EQ(facts()["kind"], "classification");
  EXPECT_FALSE(facts()["cross_validation"]["reliability_of_calibrated_probabilities"].empty());
  EXPECT_THAT(calibrate({"--interval-method", "distance"}).err, HasSubstr("has no effect"));
  const Outcome uncertain = calibrate({"--uncertainty-column", "s"});
  ASSERT_EQ(uncertain.exit_code, 0) << uncertain.err;
  EXPECT_EQ(cells("prediction_set"), sets);
  EXPECT_EQ(cells("probability_lower"), low);
}

TEST_F(PredictionsTest, ASavedDomainKeepsItsCalibration) {
  ASSERT_EQ(calibrate({"--save", place_.path("saved")}).exit_code, 0);
  const auto before = cells("prediction_lower");
  const Outcome again = domain({place_.path("saved"), candidates_, "--prediction-column", "y_pred"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(cells("prediction_lower"), before);
  ASSERT_EQ(domain({place_.path("saved"), candidates_, "--prediction-column", "y_pred", "--coverage", "0.5"})
                .exit_code,
            0);
  EXPECT_NEAR(covered(), 0.5, 0.15);
  const Outcome without = domain({place_.path("saved"), candidates_});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_EQ(read_file(place_.path("domain.csv")).find("prediction_lower"), std::string::npos);
  EXPECT_THAT(domain({place_.path("saved"), candidates_, "--prediction-column", "y_pred",
                      "--uncertainty-column", "s"})
                  .err,
              HasSubstr("has no effect"));
}

/// `score` of a saved domain has the same columns as `domain`, for values and for classes.
TEST_F(PredictionsTest, ScoreHasTheColumnsOfDomain) {
  const auto score = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{
        "score",   place_.path("saved"), candidates_,   "--out", place_.path("score.csv"),
        "--store", place_.path("store"), "--log-level", "error"};
    words.insert(words.end(), more.begin(), more.end());
    return molgauge(words);
  };
  for (const bool are_classes : {false, true}) {
    calibration_ = table("cal.csv", 260, 140, 0.6, are_classes);
    candidates_ = table("candidates.csv", 400, 140, 0.6, are_classes);
    set_cell(candidates_, 3, 2, "");
    set_cell(candidates_, 4, 0, "not a molecule");
    set_cell(candidates_, 5, 0, "N[Pt](N)(Cl)Cl");
    set_cell(candidates_, 6, 0, molecules().front().smiles);  // this is a training molecule
    std::filesystem::remove_all(place_.path("saved"));
    std::vector<std::string> more{"--save", place_.path("saved")};
    if (!are_classes) {
      more.insert(more.end(), {"--uncertainty-column", "s"});
    }
    ASSERT_EQ(calibrate(more).exit_code, 0);
    const Outcome made = score({"--prediction-column", "y_pred"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    std::vector<std::string> columns{"prediction_expected_error", "prediction_conditions_met",
                                     "prediction_reason", "prediction_doubt"};
    const auto of_kind =
        are_classes ? std::vector<std::string>{"prediction_set", "probability_lower", "probability_upper"}
                    : std::vector<std::string>{"prediction_lower", "prediction_upper"};
    columns.insert(columns.end(), of_kind.begin(), of_kind.end());
    for (const std::string& column : columns) {
      const auto expected = cells(column);
      ASSERT_FALSE(expected.at(0).empty() && column != "prediction_reason" && column != "prediction_doubt")
          << column;
      EXPECT_EQ(cells(column, "score.csv"), expected) << column;
    }
    EXPECT_EQ(cells("prediction_reason", "score.csv")[4], "outside the applicability domain");
    const std::string page = place_.path("score.html");
    ASSERT_EQ(score({"--prediction-column", "y_pred", "--page", page}).exit_code, 0);
    EXPECT_EQ(facts_on(page), facts_on(place_.path("domain.html")));
    ASSERT_EQ(score({}).exit_code, 0);
    EXPECT_EQ(read_file(place_.path("score.csv")).find("prediction_conditions_met"), std::string::npos);
  }
  EXPECT_THAT(score({"--prediction-column", "y_prod"}).err, HasSubstr("candidates.csv:1: no column"));
  const Outcome no_effect = score({"--prediction-column", "y_pred", "--uncertainty-column", "s"});
  EXPECT_EQ(no_effect.exit_code, 2);
  EXPECT_THAT(no_effect.err, HasSubstr("--uncertainty-column has no effect"));
  set_cell(candidates_, 7, 2, "1.5");
  const Outcome wrong = score({"--prediction-column", "y_pred"});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err,
              HasSubstr("candidates.csv:8: the prediction 1.5 in the column y_pred is not a probability"));
}

TEST_F(PredictionsTest, ScoreRefusesPredictionsWithoutACalibration) {
  ASSERT_EQ(domain({train_, candidates_, "--encoder", "ecfp", "--save", place_.path("plain")}).exit_code, 0);
  const Outcome refused =
      molgauge({"score", place_.path("plain"), candidates_, "--prediction-column", "y_pred"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("plain contains no calibration of predictions"));
  EXPECT_EQ(molgauge({"score", place_.path("plain"), candidates_, "--uncertainty-column", "s"}).exit_code, 2);
}

TEST_F(PredictionsTest, TrainingMoleculesMayBringOutOfFoldPredictions) {
  train_ = table("train.csv", 0, 300, 0.6);
  const Outcome made = domain(
      {train_, candidates_, "--encoder", "ecfp", "--label-column", "y", "--prediction-column", "y_pred"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(facts()["calibration"]["training_molecules"], 300);
  EXPECT_NEAR(covered(), 0.9, 0.08);
}

TEST_F(PredictionsTest, OtherUnitsOfTheCandidatesAreReported) {
  std::string in_thousandths = "smiles,y_pred\n";
  const auto all = molecules();
  for (std::size_t i = 400; i < 440; ++i) {
    in_thousandths += fmt::format("{},{:.2f}\n", all[i].smiles, 1000 * all[i].measured);
  }
  const Outcome judged =
      domain({train_, place_.file("units.csv", in_thousandths), "--encoder", "ecfp", "--calibration",
              calibration_, "--label-column", "y", "--prediction-column", "y_pred"});
  ASSERT_EQ(judged.exit_code, 0) << judged.err;
  EXPECT_THAT(judged.out + judged.err, HasSubstr("Check that both files have the same units"));
}

TEST_F(PredictionsTest, InSamplePredictionsAreRefused) {
  const auto words = [&](std::vector<std::string> more = {}) {
    more.insert(more.begin(), {train_, candidates_, "--encoder", "ecfp", "--label-column", "y",
                               "--prediction-column", "y_pred"});
    return more;
  };
  const Outcome refused = domain(words());  // the errors of the training molecules are 0.1
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr(train_ + ": in-sample predictions"));
  EXPECT_EQ(domain(words({"--out-of-fold"})).exit_code, 0);

  const std::string exact = table("exact.csv", 260, 140, 0);
  const Outcome copied = domain({train_, candidates_, "--encoder", "ecfp", "--calibration", exact,
                                 "--label-column", "y", "--prediction-column", "y_pred"});
  EXPECT_EQ(copied.exit_code, 3);
  EXPECT_THAT(copied.err, HasSubstr("exact.csv: in-sample predictions: 140 of 140 predictions"));

  // One other prediction does not hide the copies.
  const std::string nearly = place_.file("nearly.csv", read_file(exact) + "CCCCCCCCCCCCO,1.5,4.5,1,0,9\n");
  const Outcome nearly_copied = domain({train_, candidates_, "--encoder", "ecfp", "--calibration", nearly,
                                        "--label-column", "y", "--prediction-column", "y_pred"});
  EXPECT_EQ(nearly_copied.exit_code, 3);
  EXPECT_THAT(nearly_copied.err, HasSubstr("140 of 141 predictions"));

  // The file contains unseen molecules, and also training molecules with the small errors of training.
  std::string mixed = read_file(calibration_), training = read_file(train_);
  calibration_ = place_.file("mixed.csv", mixed + training.substr(training.find('\n') + 1, 4000));
  const Outcome found = calibrate();
  EXPECT_EQ(found.exit_code, 3);
  EXPECT_THAT(found.err, HasSubstr("their errors are much smaller than the errors of the other molecules"));
}

/// Calibration molecules are recognised as training molecules even if they are written as salts.
TEST_F(PredictionsTest, SaltsOfTrainingMoleculesAreTrainingMolecules) {
  calibration_ = table("cal.csv", 0, 140, 0.6);
  std::string text = read_file(calibration_);
  std::size_t salts = 0;
  for (std::size_t at = 0; (at = text.find("CN,", at)) != std::string::npos; ++salts) {
    text.replace(at, 3, "CN.Cl,");
  }
  ASSERT_GT(salts, 5U);
  replace_file(calibration_, text);
  ASSERT_EQ(calibrate().exit_code, 0);
  EXPECT_EQ(facts()["calibration"]["training_molecules"], facts()["calibration"]["molecules"]);
}

TEST_F(PredictionsTest, CellsThatAreNotNumbersAreNamed) {
  const struct {
    std::size_t column;
    std::string text, message;
  } cases[] = {{2, "high", "cal.csv:6: 'high' in the column y_pred is not a number"},
               {2, "nan", "cal.csv:6: 'nan' in the column y_pred is not a number"},
               {1, "inf", "cal.csv:6: 'inf' in the column y is neither a number nor a class"},
               {1, "-inf", "cal.csv:6: '-inf' in the column y is neither a number nor a class"},
               {2, "1e200", "cal.csv:6: '1e200' in the column y_pred is too large"},
               {3, "-0.5", "cal.csv:6: the uncertainty -0.5 in the column s is negative"},
               {3, "", "cal.csv:6: the column s is empty"}};
  const std::string text = read_file(calibration_);
  for (const auto& own : cases) {
    replace_file(calibration_, text);
    set_cell(calibration_, 5, own.column, own.text);
    const Outcome refused = calibrate({"--uncertainty-column", "s"});
    EXPECT_EQ(refused.exit_code, 3) << own.text;
    EXPECT_THAT(refused.err, HasSubstr(own.message));
  }
  replace_file(calibration_, text);
  set_cell(candidates_, 3, 2, "text");
  const Outcome refused = calibrate();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("candidates.csv:4: 'text' in the column y_pred is not a number"));
  EXPECT_EQ(refused.err.find("encode"), std::string::npos);  // nothing was encoded
}

TEST_F(PredictionsTest, CandidatesWithoutAPredictionGetNone) {
  set_cell(candidates_, 3, 2, "");
  set_cell(candidates_, 4, 0, "not a molecule");
  ASSERT_EQ(calibrate().exit_code, 0);
  EXPECT_EQ(cells("prediction_lower")[2], "");
  EXPECT_EQ(cells("prediction_conditions_met")[2], "no");
  EXPECT_EQ(cells("prediction_reason")[2], "no prediction");
  EXPECT_EQ(cells("prediction_conditions_met")[3], "");
  EXPECT_NE(cells("prediction_lower")[4], "");
}

TEST_F(PredictionsTest, MoleculesOutsideTheDomainDoNotMeetTheConditions) {
  candidates_ =
      place_.file("candidates.csv", "smiles,y_pred\n[Na+].[Cl-],1\nN[Pt](N)(Cl)Cl,2\nOCCCCc1ccccc1,3\n");
  ASSERT_EQ(calibrate().exit_code, 0);
  const auto verdicts = cells("domain"), conditions = cells("prediction_conditions_met"),
             reasons = cells("prediction_reason");
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(verdicts[i], "outside");
    EXPECT_EQ(conditions[i], "no");
    EXPECT_EQ(reasons[i], "outside the applicability domain");
  }
  EXPECT_EQ(conditions[2], "yes");
}

TEST_F(PredictionsTest, FewOrEqualCalibrationMoleculesAreHandled) {
  calibration_ = table("cal.csv", 260, 9, 0.6);
  const Outcome nine = calibrate();
  ASSERT_EQ(nine.exit_code, 0) << nine.err;
  EXPECT_EQ(facts()["method"], "constant");
  EXPECT_NE(cells("prediction_lower")[0], "");

  calibration_ = table("cal.csv", 260, 8, 0.6);
  const Outcome eight = calibrate();
  ASSERT_EQ(eight.exit_code, 0) << eight.err;
  EXPECT_EQ(cells("prediction_lower")[0], "");
  EXPECT_EQ(cells("prediction_reason")[0], "9 calibration molecules are needed, and there are 8");
  EXPECT_THAT(eight.out,
              HasSubstr("0 of 140 candidates meet the conditions of the coverage, 140 have no result"));

  calibration_ = place_.file("equal.csv", "smiles,y,y_pred\nCCO,2,1.5\nCCN,2,2.5\nCCC,2,2.1\n");
  const Outcome equal = calibrate();
  EXPECT_EQ(equal.exit_code, 3);
  EXPECT_THAT(equal.err, HasSubstr("equal.csv: all 3 measured values in the column y are 2"));

  calibration_ = place_.file("empty.csv", "smiles,y,y_pred\nCCO,,1.5\nCCN,2,\n");
  EXPECT_THAT(calibrate().err, HasSubstr("empty.csv: no row has both a measured value (y) and a prediction"));
}

/// Repeated measurements of a molecule are not independent, so they are merged.
TEST_F(PredictionsTest, RepeatedMoleculesCountOnce) {
  const std::string text = read_file(calibration_);
  const std::string row =
      text.substr(text.find('\n') + 1, text.find('\n', text.find('\n') + 1) - text.find('\n'));
  calibration_ = place_.file("repeated.csv", text + row + row);
  ASSERT_EQ(calibrate().exit_code, 0);
  EXPECT_EQ(facts()["calibration"]["molecules"], 140);
  calibration_ = place_.file("repeated.csv", text + row.substr(0, row.find(',')) + ",9.5,2.5,1,1,3\n");
  ASSERT_EQ(calibrate().exit_code, 0);
  EXPECT_EQ(facts()["calibration"]["molecules"], 140);
  EXPECT_EQ(facts()["calibration"]["merged_measurements"], 1);
}

/// The check comes before any interval: in the summary, in domain.json and on the page.
TEST_F(PredictionsTest, TheModelCheckNamesAFaultBeforeAnyInterval) {
  const Outcome sound = calibrate();
  ASSERT_EQ(sound.exit_code, 0) << sound.err;
  EXPECT_LT(sound.out.find("model check: mean absolute error of your model"),
            sound.out.find("prediction intervals for"));
  const auto check = facts()["model_check"];
  EXPECT_EQ(check["warnings"], nlohmann::json::array());
  EXPECT_LT(check["your_model"]["mean_absolute_error"], check["mean"]["mean_absolute_error"]);
  EXPECT_TRUE(check["simple_model"]["mean_absolute_error"].is_number());
  EXPECT_EQ(facts()["conditions"].size(), 5U);

  std::string text = read_file(calibration_), shifted = "smiles,y,y_pred\n";
  std::istringstream lines(text.substr(text.find('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1),
                      third = line.find(',', second + 1);
    shifted += fmt::format("{},{}\n", line.substr(0, second),
                           std::stod(line.substr(second + 1, third - second - 1)) + 3);
  }
  calibration_ = place_.file("shifted.csv", shifted);
  const Outcome found = calibrate();
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("warning: Your predictions are shifted: they are 2."));
  EXPECT_EQ(facts()["model_check"]["warnings"][0]["cause"], "shift");
  EXPECT_THAT(read_file(place_.path("domain.html")), HasSubstr("Your predictions are shifted"));
}

TEST_F(PredictionsTest, OptionsWithoutEffectAreRefused) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& message) {
    const Outcome outcome = calibrate(more);
    EXPECT_EQ(outcome.exit_code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  };
  refused({"--interval-method", "widest"}, "--interval-method: widest not in");
  refused({"--interval-method", "both"}, "needs --uncertainty-column");
  refused({"--interval-method", "quantiles"}, "needs --lower-column and --upper-column");
  refused({"--interval-method", "constant", "--uncertainty-column", "s"},
          "--uncertainty-column has no effect");
  refused({"--coverage", "1.5"}, "coverage");
  const Outcome onto =
      molgauge({"domain", train_, candidates_, "--encoder", "ecfp", "--calibration", calibration_,
                "--label-column", "y", "--prediction-column", "y_pred", "--out", calibration_});
  EXPECT_EQ(onto.exit_code, 2);
  EXPECT_THAT(onto.err, HasSubstr("cal.csv"));
  const Outcome same = domain({train_, candidates_, "--encoder", "ecfp", "--calibration", calibration_,
                               "--label-column", "y", "--prediction-column", "y"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_THAT(same.err, HasSubstr("is the column of the measured values, too"));
  const Outcome without = domain({train_, candidates_, "--encoder", "ecfp", "--prediction-column", "y_pred"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("Add --label-column"));
  EXPECT_EQ(domain({train_, candidates_, "--encoder", "ecfp", "--coverage", "0.8"}).exit_code, 2);
  const Outcome misspelt = domain({train_, candidates_, "--encoder", "ecfp", "--calibration", calibration_,
                                   "--label-column", "y", "--prediction-column", "y_prod"});
  EXPECT_EQ(misspelt.exit_code, 3);
  EXPECT_THAT(misspelt.err, HasSubstr("y_prod"));
}

// The second opinion needs values of the training molecules. A saved domain contains it.
TEST_F(PredictionsTest, GivesASecondOpinion) {
  ASSERT_EQ(calibrate({"--interval-method", "opinion", "--save", place_.path("saved")}).exit_code, 0);
  EXPECT_EQ(facts()["method"], "opinion");
  EXPECT_GT(covered(), 0.8);
  const auto lower = cells("prediction_lower"), doubts = cells("prediction_doubt");
  EXPECT_THAT(doubts, testing::Contains(testing::Ne("")));
  ASSERT_EQ(domain({place_.path("saved"), candidates_, "--prediction-column", "y_pred"}).exit_code, 0);
  EXPECT_EQ(cells("prediction_lower"), lower);
  EXPECT_EQ(cells("prediction_doubt"), doubts);
  std::string without = read_file(train_);
  without.replace(0, without.find('\n'), "smiles,unused,y_pred,s,low,high");
  replace_file(train_, without);
  const Outcome refused = calibrate({"--interval-method", "opinion"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("needs measured values of at least 50 training molecules"));
  ASSERT_EQ(calibrate().exit_code, 0);
  EXPECT_NE(facts()["method"], "opinion");
}

}  // namespace
}  // namespace molgauge::test
