// Tests that a list gives the same rows in a direct answer and in a job. The limits do not depend on the form
// in which a list is sent.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "served.h"

namespace molgauge::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class OneReader : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    served_ =
        std::make_unique<Served>(std::vector<std::string>{"--max-molecules", "1000", "--max-body", "4MiB"});
  }
  static void TearDownTestSuite() { served_.reset(); }
  static const Served& served() { return *served_; }

  /// The rows of a request whose sender waits for the answer.
  static nlohmann::json rows(const std::string& target, const std::string& list,
                             const Served::Fields& fields = {}) {
    const HttpAnswer answer = served().post(target, list, fields);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.json().at("rows");
  }
  static nlohmann::json rows_of_job(const std::string& target, const std::string& list,
                                    const Served::Fields& fields = {}) {
    const std::string job = served().post(target, list, fields).json().at("job");
    EXPECT_EQ(served().finished(job).at("state"), "done");
    return served().get("/api/v1/jobs/" + job + "/result").json().at("rows");
  }
  static std::string packed(const std::string& content) {
    served().file("plain", content);
    EXPECT_EQ(
        std::system(("gzip -c '" + served().path("plain") + "' > '" + served().path("packed") + "'").c_str()),
        0);
    return read_file(served().path("packed"));
  }

 private:
  static std::unique_ptr<Served> served_;
};
std::unique_ptr<Served> OneReader::served_;

TEST_F(OneReader, GivesTheSameRowsAtOnceAndByAJob) {
  const std::string list =
      "SMILES Name\n# a comment\n\nCCO ethanol of wine\n   \n\tCCN\r\n#CC no molecule\nC[C@H](N)C(=O)O "
      "|&1:1| alanine\nnonsense\n";
  for (const std::string task : {"domain", "encode?encoder=ecfp"}) {
    const std::string target = "/api/v1/" + task;
    const auto at_once = rows(target, list);
    const auto by_job = rows_of_job(target + (task == "domain" ? "?" : "&") + "job=1", list);
    ASSERT_EQ(at_once.size(), 4U) << task;
    ASSERT_EQ(by_job.size(), at_once.size()) << task;
    for (std::size_t i = 0; i < at_once.size(); ++i) {
      for (const char* const key : {"row", "line", "name", "smiles", "reason"}) {
        EXPECT_EQ(at_once[i].at(key), by_job[i].at(key)) << task << ", row " << i << ", " << key;
      }
    }
    EXPECT_EQ(at_once[0].at("line"), 4);
    EXPECT_EQ(at_once[0].at("name"), "ethanol of wine");
  }
}

TEST_F(OneReader, AListInJsonIsTheSameAtOnceAndByAJob) {
  const Served::Fields json{{"Content-Type", "application/json"}};
  const std::string list =
      R"({"smiles": [" CCO ", "", "C\nC", "C,\"C", "CCN"], "names": ["a", "b", "c", "d,\"e", ""]})";
  const auto at_once = rows("/api/v1/domain", list, json);
  const auto by_job = rows_of_job("/api/v1/domain?job=1", list, json);
  ASSERT_EQ(at_once.size(), 5U);
  ASSERT_EQ(by_job.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    for (const char* const key : {"row", "line", "name", "smiles", "verdict"}) {
      EXPECT_EQ(at_once[i].at(key), by_job[i].at(key)) << "row " << i << ", " << key;
    }
  }
}

TEST_F(OneReader, RefusesBinaryDataInBothWays) {
  for (const char* const target :
       {"/api/v1/domain", "/api/v1/domain?job=1", "/api/v1/encode?encoder=ecfp&job=1"}) {
    const HttpAnswer answer = served().post(target, std::string("CC\0O", 4));
    EXPECT_EQ(answer.status, 422) << target;
    EXPECT_THAT(answer.body, HasSubstr("input.smi:1: "));
  }
}

TEST_F(OneReader, ReadsLatin1InBothWays) {
  const Served::Fields csv{{"Content-Type", "text/csv"}};
  const std::string list = "smiles;name\nCCO;\xe4thanol\n";
  EXPECT_EQ(rows("/api/v1/domain", list, csv).at(0).at("name"), "\u00e4thanol");
  EXPECT_EQ(rows_of_job("/api/v1/domain?job=1", list, csv).at(0).at("name"), "\u00e4thanol");
}

TEST_F(OneReader, ReadsTheFormsInWhichPeopleKeepAList) {
  struct Form {
    const char *file, *type;
  };
  constexpr const char* kWorkbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const auto expected =
      rows("/api/v1/domain", read_file(test::own_data("files/plain.csv")), {{"Content-Type", "text/csv"}});
  ASSERT_EQ(expected.size(), 8U);
  for (const Form& form :
       {Form{"semicolon.csv", "text/csv"}, Form{"no_header.csv", "text/csv"}, Form{"utf16.tsv", "text/csv"},
        Form{"index.csv", "text/csv"}, Form{"plain.csv.xz", "text/csv"}, Form{"plain.zip", "text/csv"},
        Form{"records.json", "application/json"}, Form{"records.jsonl", "application/x-ndjson"},
        Form{"sheet.xlsx", kWorkbook}, Form{"names_tab.smi", "text/plain"}}) {
    for (const bool is_job : {false, true}) {
      const Served::Fields type{{"Content-Type", form.type}};
      const std::string list = read_file(test::own_data(std::string("files/") + form.file));
      const auto found =
          is_job ? rows_of_job("/api/v1/domain?job=1", list, type) : rows("/api/v1/domain", list, type);
      ASSERT_EQ(found.size(), expected.size()) << form.file;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        for (const char* const key : {"row", "name", "smiles", "verdict"}) {
          EXPECT_EQ(found[i].at(key), expected[i].at(key)) << form.file << ", row " << i << ", " << key;
        }
      }
    }
  }
}

TEST_F(OneReader, ErrorsNameTheFieldOfTheRequest) {
  const HttpAnswer answer = served().post("/api/v1/domain", "a,b\n1,2\n", {{"Content-Type", "text/csv"}});
  EXPECT_EQ(answer.status, 422);
  EXPECT_THAT(answer.body, HasSubstr("smiles_column"));
  EXPECT_THAT(answer.body, Not(HasSubstr("--")));
  EXPECT_THAT(served().post("/api/v1/domain?smiles_column=x", "CCO\n").body, Not(HasSubstr("--")));
  EXPECT_THAT(served().get("/api/v1/health", {{"Host", "evil.example"}}).body, Not(HasSubstr("--")));
}

/// In an earlier version, 273 bytes of gzip could contain 60,000 molecules, although the limit was 1,000.
TEST_F(OneReader, GzipDoesNotGetAroundTheLimits) {
  std::string lines, csv = "smiles\n", sdf;
  for (int i = 0; i < 60'000; ++i) {
    lines += "C\n";
    csv += "C\n";
  }
  for (int i = 0; i < 1'100; ++i) {
    sdf += "x\n  a\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n";
  }
  const std::vector<std::pair<std::string, std::string>> bodies{
      {"text/plain", lines}, {"text/csv", csv}, {"chemical/x-mdl-sdfile", sdf}};
  for (const auto& [type, body] : bodies) {
    for (const std::string& sent : {body, packed(body)}) {
      EXPECT_EQ(served().post("/api/v1/domain", sent, {{"Content-Type", type}}).status, 413) << type;
      EXPECT_EQ(served().post("/api/v1/domain?job=1", sent, {{"Content-Type", type}}).status, 413) << type;
    }
  }
  // There are limits for the size, for the ratio, and for gzip within gzip.
  const std::string many_names = many_molecules(900) + std::string(std::size_t{5} << 20, '#');
  EXPECT_THAT(served().post("/api/v1/domain", packed(many_names)).status, AnyOf(413, 422));
  EXPECT_EQ(served().post("/api/v1/domain", packed(std::string(std::size_t{3} << 20, '\n') + "C\n")).status,
            422);
  EXPECT_EQ(served().post("/api/v1/domain", packed(packed("CCO\n"))).status, 422);
  EXPECT_EQ(served().post("/api/v1/domain", packed("CCO\n").substr(0, 20)).status, 422);
  EXPECT_EQ(rows("/api/v1/domain", packed("CCO a\nCCN b\n")).at(1).at("name"), "b");
}

/// Whether a list is answered at once or by a job depends on its length.
TEST(ListsWithoutAMolecule, HaveOneAnswerForEveryLength) {
  const Served served({"--model", (own_data("chemprop") / "v2_regression.pt").string()});
  for (const char* const target : {"/api/v1/domain?model=small", "/api/v1/predict?model=v2_regression.pt"}) {
    for (const int count : {3, 300}) {
      std::string list;
      for (int i = 0; i < count; ++i) {
        list += "nonsense" + std::to_string(i) + "\n";
      }
      const HttpAnswer answer = served.post(target, list, {{"Content-Type", "text/plain"}});
      ASSERT_EQ(answer.status, 200) << target << " " << count << answer.body.substr(0, 500);
      const auto rows = answer.json().at("rows");
      ASSERT_EQ(rows.size(), static_cast<std::size_t>(count));
      EXPECT_EQ(rows.back().at("row"), count - 1);
      EXPECT_EQ(rows.back().at("line"), count);
      EXPECT_NE(rows.back().at("reason"), "");
    }
  }
}

}  // namespace
}  // namespace molgauge::test
