// Compares the answers of `molgauge serve` to POST /api/v1/predict with the table of `molgauge predict`.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tables/csv_reader.h"
#include "served.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

std::string model(const std::string& name) { return (own_data("chemprop") / name).string(); }

class ServedProperties : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    served_ = std::make_unique<Served>(
        std::vector<std::string>{"--model", model("v2_mve.pt"), "--model", model("v1_multiclass.pt")});
  }
  static void TearDownTestSuite() { served_.reset(); }
  static const Served& served() { return *served_; }

  static HttpAnswer post(const std::string& target, const std::string& body, const std::string& type) {
    return served_->post("/api/v1/" + target, body, {{"Content-Type", type}});
  }
  static std::string message(const HttpAnswer& answer) {
    return answer.json().at("error").at("message").get<std::string>();
  }

  /// The table that `molgauge predict` writes for a list of SMILES.
  static std::vector<std::map<std::string, std::string>> table(const std::string& name,
                                                               const std::string& list) {
    const std::string out = served_->path("table.csv");
    EXPECT_EQ(served_->run(fmt::format("predict '{}' '{}' --store '{}' --out '{}' --quiet 2> /dev/null",
                                       model(name), served_->file("list.smi", list),
                                       served_->path("other-store"), out)),
              0);
    io::CsvReader reader(out, ',');
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

  static void expect_same(const nlohmann::json& rows,
                          const std::vector<std::map<std::string, std::string>>& table,
                          const std::vector<std::string>& columns) {
    ASSERT_EQ(rows.size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto& row = rows.at(i);
      EXPECT_EQ(row.at("line").get<std::size_t>(), std::stoul(table[i].at("line")));
      for (const std::string& column : columns) {
        const std::string& cell = table[i].at(column);
        if (cell.empty()) {
          EXPECT_TRUE(row.at("predictions").is_null());
          EXPECT_NE(row.at("reason"), "");
        } else {
          EXPECT_EQ(row.at("predictions").at(column).get<double>(), std::stod(cell)) << column << " " << i;
          EXPECT_EQ(row.at("reason"), "");
        }
      }
    }
  }

 private:
  static std::unique_ptr<Served> served_;
};
std::unique_ptr<Served> ServedProperties::served_;

const char* const kList = "CCO ethanol\nnonsense\nc1ccccc1 benzene\nC[C@H](N)C(=O)O alanine\n";
const std::vector<std::string> kColumns = {"task_0", "task_0_std", "task_1", "task_1_std"};

TEST_F(ServedProperties, ModelsTellTheirTasks) {
  const auto models = served().get("/api/v1/models").json().at("models");
  ASSERT_EQ(models.size(), 3U);
  EXPECT_EQ(models[0].at("kind"), "domain");
  EXPECT_TRUE(models[0].at("tasks").empty());
  EXPECT_EQ(models[1].at("name"), "v2_mve.pt");
  EXPECT_EQ(models[1].at("kind"), "chemprop");
  EXPECT_EQ(models[1].at("tasks").at(1).at("name"), "task_1");
  EXPECT_EQ(models[1].at("tasks").at(1).at("columns"), (nlohmann::json{"task_1", "task_1_std"}));
  EXPECT_TRUE(models[1].at("verdicts").empty());
}

TEST_F(ServedProperties, OfAShortListAreThoseOfTheCommandLine) {
  const HttpAnswer answer = post("predict", kList, "text/plain");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.json().at("model"), "v2_mve.pt");
  EXPECT_EQ(answer.json().at("rows").at(0).at("name"), "ethanol");
  expect_same(answer.json().at("rows"), table("v2_mve.pt", kList), kColumns);
  const HttpAnswer classes =
      post("predict?model=v1_multiclass.pt", R"({"smiles": ["CCO"]})", "application/json");
  ASSERT_EQ(classes.status, 200) << classes.body;
  expect_same(classes.json().at("rows"), table("v1_multiclass.pt", "CCO\n"),
              {"task_0_class_0", "task_0_class_1", "task_0_class_2"});
  const HttpAnswer lines = post("predict?as=ndjson", "CCO\nCCN\n", "text/plain");
  EXPECT_EQ(std::count(lines.body.begin(), lines.body.end(), '\n'), 2);
}

TEST_F(ServedProperties, OfALongListAreThoseOfTheCommandLine) {
  const std::string list = kList + many_molecules(400);
  const HttpAnswer answer = post("predict?job=1", list, "text/plain");
  ASSERT_EQ(answer.status, 202) << answer.body;
  const std::string job = answer.json().at("job");
  ASSERT_EQ(served().finished(job).at("state"), "done");
  const std::string result = "/api/v1/jobs/" + job + "/result?as=";
  const auto json = served().get(result + "json").json();
  EXPECT_EQ(json.at("tasks").size(), 2U);
  const auto expected = table("v2_mve.pt", list);
  expect_same(json.at("rows"), expected, kColumns);
  const std::string csv = served().get(result + "csv").body;
  EXPECT_THAT(csv, HasSubstr("task_1_std"));
  EXPECT_THAT(csv, HasSubstr("," + expected.at(0).at("task_0") + ","));
  EXPECT_THAT(served().get(result + "sdf").body, HasSubstr(">  <task_0>"));
  EXPECT_EQ(served().get(result + "html").status, 400);
}

TEST_F(ServedProperties, AreForDrawingsOrParents) {
  const std::string list =
      "CCN(CC)CCNC(=O)c1ccc(N)cc1\nCC[NH+](CC)CCNC(=O)c1ccc(N)cc1."
      "CC[NH+](CC)CCNC(=O)c1ccc(N)cc1.[O-]S(=O)(=O)[O-]\nnonsense\n";
  const auto rows = [&](const std::string& parameters) {
    const HttpAnswer answer = post("predict?as=json" + parameters, list, "text/plain");
    if (answer.status == 200) {
      return answer.json().at("rows");
    }
    EXPECT_EQ(answer.status, 202) << answer.body;
    const std::string job = answer.json().at("job");
    EXPECT_EQ(served().finished(job).at("state"), "done");
    return served().get("/api/v1/jobs/" + job + "/result?as=json").json().at("rows");
  };
  for (const char* const job : {"", "&job=1"}) {
    SCOPED_TRACE(job);
    const auto drawn = rows(job), parents = rows(std::string("&standardize=parent") + job);
    EXPECT_EQ(drawn.at(0).at("parent_prediction_differs"), false);
    EXPECT_EQ(drawn.at(1).at("parent_prediction_differs"), true);
    EXPECT_FALSE(drawn.at(2).contains("parent_prediction_differs"));
    EXPECT_FALSE(parents.at(1).contains("parent_prediction_differs"));
    const auto value = [](const auto& row) {
      return row.at("predictions").at("task_0").template get<double>();
    };
    EXPECT_EQ(value(parents.at(0)), value(drawn.at(0)));
    EXPECT_NEAR(value(parents.at(1)), value(parents.at(0)), 1e-4);
    EXPECT_TRUE(parents.at(2).at("predictions").is_null());
  }
  const HttpAnswer unknown = post("predict?standardize=salt", list, "text/plain");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_THAT(message(unknown), HasSubstr("Give none, parent or tautomer"));
  EXPECT_EQ(post("domain?standardize=parent", list, "text/plain").status, 400);
}

TEST_F(ServedProperties, OfATableKeepTheLinesOfTheList) {
  const HttpAnswer answer = post("predict?smiles_column=structure",
                                 "id,structure\n1,CCO\n2,nonsense\n\n3,\"c1ccccc1\"\n", "text/csv");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const auto rows = answer.json().at("rows");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].at("line"), 2);
  EXPECT_EQ(rows[1].at("line"), 3);
  EXPECT_TRUE(rows[1].at("predictions").is_null());
  EXPECT_THAT(rows[1].at("reason").get<std::string>(), HasSubstr("SMILES"));
  EXPECT_EQ(rows[2].at("line"), 5);
  EXPECT_TRUE(rows[2].at("predictions").at("task_0").is_number());
}

TEST_F(ServedProperties, RefusesWrongRequests) {
  const auto refused = [](const HttpAnswer& answer, int status, const std::string& text) {
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_THAT(message(answer), HasSubstr(text));
  };
  refused(post("predict?model=small", "CCO\n", "text/plain"), 400, "is not a chemprop model");
  refused(post("domain?model=v2_mve.pt", "CCO\n", "text/plain"), 400, "Ask for /api/v1/predict");
  refused(post("predict?model=absent", "CCO\n", "text/plain"), 400, "no such model");
  refused(post("predict?prediction_column=p", "CCO\n", "text/plain"), 400, "has no effect on predict");
  refused(post("predict", "CCO\n", "text/unknown"), 400, "a list of molecules is of type");
  EXPECT_EQ(served().get("/api/v1/predict").status, 405);
  EXPECT_EQ(post("domain", "CCO\n", "text/plain").status, 200);  // uses the first model that gives verdicts
  EXPECT_EQ(served().get("/api/v1/openapi.json").json().at("paths").count("/api/v1/predict"), 1U);
}

TEST(ServedPropertiesStart, RefusesModelsThatItCannotServe) {
  const TemporaryFolder folder;
  const auto start = [&](const std::string& of) {
    const std::string command =
        fmt::format("timeout 60 {} serve --model '{}' --port 0 --work '{}' --store '{}' > /dev/null 2> '{}'",
                    MOLGAUGE_PROGRAM, of, (folder / "work").string(), (folder / "store").string(),
                    (folder / "err").string());
    const int code = std::system(command.c_str());
    return std::pair(code, read_file(folder / "err"));
  };
  const auto [code, text] = start(model("v2_descriptors.pt"));
  EXPECT_NE(code, 0);
  EXPECT_THAT(text, HasSubstr("cannot be served"));
  EXPECT_THAT(text, HasSubstr("takes 3 descriptors"));
  EXPECT_THAT(start(model("refused_command.pt")).second, HasSubstr("torch.load()"));
  EXPECT_THAT(start((folder / "absent").string()).second, HasSubstr("is not a folder"));
}

/// A saved domain of a chemprop model with calibrated predictions.
TEST(ServedDomainOfAModel, ShortAnswersHaveThePredictionsOfTheirJob) {
  const TemporaryFolder folder;
  std::string train = "smiles\n", calibration = "smiles,task_0\n", list;
  for (int i = 1; i <= 60; ++i) {
    const std::string chain(static_cast<std::size_t>(i), 'C');
    train += chain + "O\n";
    calibration += chain + "N," + std::to_string(i % 7) + ".5" + std::to_string(i % 10) + "\n";
    list += chain + (i % 2 == 0 ? "F\n" : "Cl\n");
  }
  list += "CC(=O)[O-].[Na+]\nnot-a-molecule\n";
  replace_file(folder / "train.csv", train);
  replace_file(folder / "cal.csv", calibration);
  replace_file(folder / "in.csv", "smiles\nCCCl\n");
  const std::string at = folder.path().string() + "/";
  ASSERT_EQ(
      std::system(fmt::format("'{}' domain '{}train.csv' '{}in.csv' --model '{}' --calibration '{}cal.csv' "
                              "--label-column task_0 --save '{}saved' --out '{}o.csv' --store '{}store' "
                              "--quiet > /dev/null 2>&1",
                              MOLGAUGE_PROGRAM, at, at, model("v2_mve.pt"), at, at, at, at)
                      .c_str()),
      0);
  const Served served({"--model", at + "saved"});
  const auto rows =
      served.post("/api/v1/domain?model=saved", list, {{"Content-Type", "text/plain"}}).json().at("rows");
  ASSERT_EQ(rows.size(), 62U);
  EXPECT_TRUE(rows[0].at("predictions").at("predicted_task_0").is_number()) << rows[0];
  EXPECT_TRUE(rows[0].at("prediction_lower").is_number()) << rows[0];
  EXPECT_TRUE(rows[61].at("predictions").is_null());
  const std::string job =
      served.post("/api/v1/domain?model=saved&job=1", list, {{"Content-Type", "text/plain"}})
          .json()
          .at("job");
  ASSERT_EQ(served.finished(job).at("state"), "done");
  const auto of_job = served.get("/api/v1/jobs/" + job + "/result").json().at("rows");
  ASSERT_EQ(of_job.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const char* const key :
         {"predictions", "decision", "prediction_lower", "prediction_upper", "prediction_expected_error",
          "prediction_conditions_met", "prediction_reason"}) {
      const auto &own = rows[i].at(key), &other = of_job[i].at(key);
      if (own.is_number() && other.is_number()) {  // the table of a job has twelve digits
        EXPECT_NEAR(own.get<double>(), other.get<double>(), 1e-9 * std::abs(own.get<double>()))
            << i << " " << key;
      } else {
        EXPECT_EQ(own, other) << i << " " << key;
      }
    }
  }
}

}  // namespace
}  // namespace molgauge::test
