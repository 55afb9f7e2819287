// Compares predictions in `molgauge serve` with the columns of `molgauge domain`.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <stdexcept>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "served.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

/// A folder with saved domains. "values" has a calibration of values with uncertainties, and "classes" has a
/// calibration of classes.
class CalibratedDomains {
 public:
  CalibratedDomains() {
    replace_file(path("train.csv"), table(0, 300));
    replace_file(path("cal.csv"), table(300, 120));
    replace_file(path("cal-classes.csv"), table(300, 120, /*are_classes=*/true));
    replace_file(path("one.csv"), "smiles,p,s\nCCO,1,1\n");
    replace_file(path("one-class.csv"), "smiles,p\nCCO,0.5\n");
    domain("train.csv", "one.csv",
           "--calibration '" + path("cal.csv") + "' --uncertainty-column s " + kNew + "values'");
    domain("train.csv", "one-class.csv",
           "--calibration '" + path("cal-classes.csv") + "' " + kNew + "classes'");
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Runs `molgauge domain` and returns its table.
  std::vector<std::map<std::string, std::string>> domain(const std::string& training,
                                                         const std::string& candidates,
                                                         const std::string& more = "") const {
    const std::string command = fmt::format(
        "{} domain '{}' '{}' --prediction-column p --store '{}' --out '{}' --quiet {} > /dev/null",
        MOLGAUGE_PROGRAM, path(training), path(candidates), path("store"), path("out.csv"), more);
    if (std::system(command.c_str()) != 0) {
      throw std::runtime_error("this failed: " + command);
    }
    io::CsvReader reader(path("out.csv"), ',');
    const auto columns = reader.next()->fields;
    std::vector<std::map<std::string, std::string>> rows;
    while (const auto row = reader.next()) {
      auto& cells = rows.emplace_back();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        cells[columns[i]] = row->fields[i];
      }
    }
    return rows;
  }

 private:
  /// Chains with rings and end groups in random order. The measured value grows with the length of the chain
  /// and contains noise.
  static std::string table(std::size_t first, std::size_t count, bool are_classes = false) {
    std::vector<std::string> all;
    std::mt19937 random(3);
    std::normal_distribution<double> noise;
    for (std::size_t chain = 1; chain <= 9; ++chain) {
      for (const char* const end : {"O", "N", "C(=O)O", "C#N", "Cl", "F"}) {
        for (const char* const ring :
             {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1", "c1ccoc1", "C1CCNCC1", "C1CCC1"}) {
          const double value = 0.4 * static_cast<double>(chain) + 0.5 * noise(random);
          const double prediction = value + 0.6 * noise(random);
          all.push_back(are_classes
                            ? fmt::format("{}{}{},{},{:.4f},1\n", ring, std::string(chain, 'C'), end,
                                          value > 2 ? 1 : 0, 1 / (1 + std::exp(-prediction + 2)))
                            : fmt::format("{}{}{},{:.4f},{:.4f},{:.4f}\n", ring, std::string(chain, 'C'), end,
                                          value, prediction, 0.5 + 0.2 * std::abs(noise(random))));
        }
      }
    }
    std::mt19937 order(4);
    std::shuffle(all.begin(), all.end(), order);
    std::string text = "smiles,y,p,s\n";
    for (std::size_t i = first; i < first + count; ++i) {
      text += all.at(i);
    }
    return text;
  }

  TemporaryFolder folder_;
  const std::string kNew = "--encoder ecfp --label-column y --save '" + (folder_ / "").string();
};

class ServedPredictions : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    domains_ = std::make_unique<CalibratedDomains>();
    served_ = std::make_unique<Served>(
        std::vector<std::string>{"--model", domains_->path("values"), "--model", domains_->path("classes")});
  }
  static void TearDownTestSuite() {
    served_.reset();
    domains_.reset();
  }
  static const CalibratedDomains& domains() { return *domains_; }

  static HttpAnswer post(const std::string& target, const std::string& body, const std::string& type) {
    return served_->post("/api/v1/" + target, body, {{"Content-Type", type}});
  }
  static const Served& served() { return *served_; }

  static std::string message(const HttpAnswer& answer) {
    return answer.json().at("error").at("message").get<std::string>();
  }

  /// Compares the rows of an answer with the table of `molgauge domain`.
  static void expect_same(const nlohmann::json& rows,
                          const std::vector<std::map<std::string, std::string>>& table, bool are_classes) {
    ASSERT_EQ(rows.size(), table.size());
    std::vector<std::string> numbers{"prediction_expected_error"};
    for (const char* const column : are_classes ? std::array{"probability_lower", "probability_upper"}
                                                : std::array{"prediction_lower", "prediction_upper"}) {
      numbers.emplace_back(column);
    }
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto& row = rows.at(i);
      for (const std::string& column : numbers) {
        const std::string& cell = table[i].at(column);
        ASSERT_EQ(row.at(column).is_null(), cell.empty()) << column << " of row " << i;
        if (!cell.empty()) {
          EXPECT_NEAR(row.at(column).get<double>(), std::stod(cell), 1e-9) << column << " of row " << i;
        }
      }
      const std::string& conditions = table[i].at("prediction_conditions_met");
      EXPECT_EQ(row.at("prediction_conditions_met"),
                conditions.empty() ? nlohmann::json(nullptr) : nlohmann::json(conditions == "yes"));
      EXPECT_EQ(row.at("prediction_reason"), table[i].at("prediction_reason"));
      EXPECT_EQ(row.at("prediction_doubt"), table[i].at("prediction_doubt"));
      EXPECT_EQ(row.contains("prediction_set"), are_classes);
      if (are_classes) {
        EXPECT_EQ(row.at("prediction_set"), table[i].at("prediction_set"));
      }
    }
  }

  static constexpr const char* kJson = "application/json";
  static constexpr const char* kCsv = "text/csv";

 private:
  static std::unique_ptr<CalibratedDomains> domains_;
  static std::unique_ptr<Served> served_;
};
std::unique_ptr<CalibratedDomains> ServedPredictions::domains_;
std::unique_ptr<Served> ServedPredictions::served_;

/// Includes an unreadable molecule, one outside the domain, and one without a prediction.
const char* const kValues =
    "smiles,p,s\nOCCCCc1ccccc1,2.5,0.6\nNCCC1CCCCC1,1.25,0.9\nN[Pt](N)(Cl)Cl,1,0.5\nnonsense,1,0.5\n"
    "OCCc1ccccc1,,0.5\nOCCCc1ccccc1,1,\n";
const char* const kValuesInJson =
    R"({"smiles": ["OCCCCc1ccccc1", "NCCC1CCCCC1", "N[Pt](N)(Cl)Cl", "nonsense", "OCCc1ccccc1", "OCCCc1ccccc1"],
        "p": [2.5, 1.25, 1, 1, null, 1], "s": [0.6, 0.9, 0.5, 0.5, 0.5, null]})";

TEST_F(ServedPredictions, ModelsTellTheirCalibration) {
  const auto models = served().get("/api/v1/models").json().at("models");
  ASSERT_EQ(models.size(), 3U);
  EXPECT_TRUE(models[0].at("predictions").is_null());
  EXPECT_EQ(models[1].at("predictions").at("kind"), "regression");
  EXPECT_EQ(models[1].at("predictions").at("prediction_column"), "p");
  EXPECT_EQ(models[1].at("predictions").at("uncertainty_column"), "s");
  EXPECT_EQ(models[2].at("predictions").at("kind"), "classification");
}

TEST_F(ServedPredictions, OfAListInMemoryHaveTheIntervalsOfTheCommandLine) {
  replace_file(domains().path("list.csv"), kValues);
  const auto table = domains().domain("values", "list.csv");
  ASSERT_FALSE(table.at(0).at("prediction_lower").empty());
  for (const char* const route : {"domain", "score"}) {
    const HttpAnswer answer =
        post(std::string(route) + "?model=values&prediction_column=p", kValuesInJson, kJson);
    ASSERT_EQ(answer.status, 200) << answer.body;
    expect_same(answer.json().at("rows"), table, /*are_classes=*/false);
  }
  const auto without = post("domain?model=values", kValuesInJson, kJson).json().at("rows");
  EXPECT_FALSE(without.at(0).contains("prediction_lower"));
}

/// The sender chooses the names of the fields.
TEST_F(ServedPredictions, ColumnsMayHaveOtherNames) {
  const auto one = [&](const std::string& query, const std::string& body) {
    const HttpAnswer answer = post("domain?model=values&" + query, body, kJson);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.json().at("rows").at(0).at("prediction_lower").get<double>();
  };
  EXPECT_EQ(
      one("prediction_column=mine&uncertainty_column=sd", R"({"smiles": "CCCO", "mine": 2, "sd": 0.7})"),
      one("prediction_column=p", R"({"smiles": "CCCO", "p": 2, "s": 0.7})"));
}

TEST_F(ServedPredictions, OfAFileHaveTheIntervalsOfTheCommandLine) {
  replace_file(domains().path("list.csv"), kValues);
  const auto table = domains().domain("values", "list.csv");
  const HttpAnswer answer = post("domain?model=values&prediction_column=p", kValues, kCsv);
  ASSERT_EQ(answer.status, 200) << answer.body;
  expect_same(answer.json().at("rows"), table, /*are_classes=*/false);
  EXPECT_EQ(post("domain?model=values&prediction_column=p&as=csv", kValues, kCsv).body,
            read_file(domains().path("out.csv")));
}

/// The data fields of an .sdf are its columns.
TEST_F(ServedPredictions, OfAnSdfHaveTheIntervalsOfTheCommandLine) {
  const std::string sdf =
      "ethanol\n  test\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 C   0  0\n"
      "    2.2000    1.2000    0.0000 O   0  0\n  1  2  1  0\n  2  3  1  0\nM  END\n"
      "> <p>\n2.5\n\n> <s>\n0.6\n\n$$$$\n";
  replace_file(domains().path("list.sdf"), sdf);
  const auto table = domains().domain("values", "list.sdf");
  ASSERT_FALSE(table.at(0).at("prediction_lower").empty());
  const HttpAnswer answer = post("domain?model=values&prediction_column=p", sdf, "chemical/x-mdl-sdfile");
  ASSERT_EQ(answer.status, 200) << answer.body;
  expect_same(answer.json().at("rows"), table, /*are_classes=*/false);
}

TEST_F(ServedPredictions, OfAJobFromJsonHaveTheIntervalsOfTheCommandLine) {
  replace_file(domains().path("list.csv"), kValues);
  const auto table = domains().domain("values", "list.csv");
  const auto job = post("domain?model=values&prediction_column=p&job=1", kValuesInJson, kJson);
  ASSERT_EQ(job.status, 202) << job.body;
  const std::string id = job.json().at("job");
  ASSERT_EQ(served().finished(id).at("state"), "done");
  expect_same(served().get("/api/v1/jobs/" + id + "/result").json().at("rows"), table, /*are_classes=*/false);
}

TEST_F(ServedPredictions, OfClassesHaveSetsAndProbabilities) {
  const std::string csv = "smiles,p\nOCCCCc1ccccc1,0.9\nNCCC1CCCCC1,0.4\nnonsense,0.5\nOCCc1ccccc1,\n";
  replace_file(domains().path("list.csv"), csv);
  const auto table = domains().domain("classes", "list.csv");
  const HttpAnswer at_hand = post(
      "domain?model=classes&prediction_column=p",
      R"({"smiles": ["OCCCCc1ccccc1", "NCCC1CCCCC1", "nonsense", "OCCc1ccccc1"], "p": [0.9, 0.4, 0.5, null]})",
      kJson);
  ASSERT_EQ(at_hand.status, 200) << at_hand.body;
  expect_same(at_hand.json().at("rows"), table, /*are_classes=*/true);
  const HttpAnswer file = post("domain?model=classes&prediction_column=p", csv, kCsv);
  ASSERT_EQ(file.status, 200) << file.body;
  expect_same(file.json().at("rows"), table, /*are_classes=*/true);
}

TEST_F(ServedPredictions, ThatCannotBeJudgedAreRefused) {
  const auto refused = [&](const std::string& query, const std::string& body, const std::string& type,
                           int status, const std::string& words) {
    const HttpAnswer answer = post(query, body, type);
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(message(answer), HasSubstr(words));
    EXPECT_EQ(message(answer).find("--prediction"), std::string::npos);
  };
  refused("domain?model=small&prediction_column=p", kValues, kCsv, 400,
          "prediction_column=p: the model small contains no calibration of predictions");
  refused("domain?model=small&prediction_column=p", kValuesInJson, kJson, 400,
          "prediction_column=p: the model small contains no calibration of predictions");
  refused("domain?model=values&prediction_column=p", "CCO", "text/plain", 400, "has no columns");
  refused("encode?encoder=ecfp&prediction_column=p", "CCO", "text/plain", 400, "has no effect on encode");
  refused("domain?model=values&uncertainty_column=s", kValues, kCsv, 400, "without prediction_column");
  refused("domain?model=values&prediction_column=p&lower_column=a", kValues, kCsv, 400, "come in pairs");
  refused("domain?model=values&prediction_column=p&lower_column=a&upper_column=b", kValues, kCsv, 400,
          "lower_column=a: has no effect");
  refused("domain?model=classes&prediction_column=p&uncertainty_column=s", kValues, kCsv, 400,
          "uncertainty_column=s: has no effect");
  refused("domain?model=values&prediction_column=q", kValues, kCsv, 422, "input.csv:1: no column \"q\"");
  refused("domain?model=values&prediction_column=q", kValuesInJson, kJson, 422, "the field q is missing");
  refused("domain?model=values&prediction_column=smiles", kValuesInJson, kJson, 422,
          "cannot contain predictions");
  refused("domain?model=values&prediction_column=p", R"({"smiles": ["C", "CC"], "p": [1], "s": [1, 1]})",
          kJson, 422, "the field p has 1 numbers for 2 molecules");
  refused("domain?model=values&prediction_column=p", R"({"smiles": ["C"], "p": ["x"], "s": [1]})", kJson, 422,
          "entry 1 of the field p is not a number");
  refused("domain?model=values&prediction_column=p", R"({"smiles": ["C", "CC"], "p": [1, 1], "s": [1, -1]})",
          kJson, 422, "molecules:2: the uncertainty -1 in the column s is negative");
  refused("domain?model=classes&prediction_column=p", R"({"smiles": ["C"], "p": [1.5]})", kJson, 422,
          "molecules:1: the prediction 1.5 in the column p is not a probability");
  refused("domain?model=classes&prediction_column=p", "smiles,p\nC,1.5\n", kCsv, 422,
          "input.csv:2: the prediction 1.5 in the column p is not a probability");
}

}  // namespace
}  // namespace molgauge::test
