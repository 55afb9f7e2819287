// Tests the answers of the API of `molgauge serve`.

#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "served.h"

namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Server : public testing::Test {
 protected:
  static void SetUpTestSuite() { served_ = std::make_unique<Served>(); }
  static void TearDownTestSuite() { served_.reset(); }
  static const Served& served() { return *served_; }

 private:
  static std::unique_ptr<Served> served_;
};
std::unique_ptr<Served> Server::served_;

TEST_F(Server, TellsItsModelsAndItsState) {
  EXPECT_EQ(served().get("/api/v1/health").json().at("status"), "ok");
  const auto models = served().get("/api/v1/models").json().at("models");
  ASSERT_EQ(models.size(), 1U);
  EXPECT_EQ(models[0].at("name"), "small");
  EXPECT_EQ(models[0].at("kind"), "domain");
  EXPECT_EQ(models[0].at("encoder"), "ecfp");
  EXPECT_THAT(served().get("/metrics").body,
              HasSubstr("molgauge_requests_total{route=\"/api/v1/models\",status=\"200\"}"));
  EXPECT_EQ(served().get("/api/v1/openapi.json").json().at("openapi"), "3.0.3");
}

TEST_F(Server, JudgesMoleculesAtHand) {
  const HttpAnswer answer =
      served().post("/api/v1/domain", "OCCCCc1ccccc1 same\nBrC1(F)OC1(F)S(=O)=O odd\nnonsense bad\n");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const auto rows = answer.json().at("rows");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].at("verdict"), "inside");
  EXPECT_EQ(rows[0].at("p_value"), 1.0);
  EXPECT_EQ(rows[1].at("name"), "odd");
  EXPECT_FALSE(rows[1].at("foreign_atoms").empty());
  EXPECT_EQ(rows[1].at("nearest").size(), 3U);
  EXPECT_EQ(rows[2].at("verdict"), "unreadable");
  EXPECT_TRUE(rows[2].at("p_value").is_null());
  EXPECT_NE(rows[2].at("reason"), "");
  const auto json = served().post("/api/v1/domain", R"({"smiles": ["OCCCCc1ccccc1"], "names": ["a"]})",
                                  {{"Content-Type", "application/json"}});
  EXPECT_EQ(json.json().at("rows")[0].at("name"), "a");
}

/// A long list in any form gives the same output as the command line.
TEST_F(Server, ALongListHasTheFilesOfTheCommandLine) {
  const std::string list = many_molecules(600) + "nonsense bad\n";
  const auto job = served().post("/api/v1/domain?job=1", list);
  ASSERT_EQ(job.status, 202) << job.body;
  const std::string id = job.json().at("job");
  EXPECT_EQ(served().finished(id).at("state"), "done");
  const std::string result = "/api/v1/jobs/" + id + "/result?as=";
  served().file("list.smi", list);
  ASSERT_EQ(
      served().run("domain '" + served().path("small") + "' '" + served().path("list.smi") + "' --store '" +
                   served().path("store") + "' --out '" + served().path("list.csv") + "' --quiet"),
      0);
  EXPECT_EQ(served().get(result + "csv").body, read_file(served().path("list.csv")));
  EXPECT_THAT(served().get(result + "html").body, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(served().get(result + "html").header, HasSubstr("Content-Security-Policy: sandbox"));
  const auto json = served().get(result + "json").json();
  EXPECT_EQ(json.at("rows").size(), 601U);
  EXPECT_EQ(json.at("counts").at("unreadable"), 1);
  EXPECT_EQ(json.at("rows")[0].at("name"), "molecule-0");
  const std::string sdf = served().get(result + "sdf").body;
  EXPECT_THAT(sdf, StartsWith("molecule-0\n"));
  EXPECT_THAT(sdf, HasSubstr(">  <verdict>\n"));
  const auto slice = served().get("/api/v1/jobs/" + id + "/result?from=590&count=100").json();
  EXPECT_EQ(slice.at("rows").size(), 11U);
  EXPECT_EQ(slice.at("next"), 601);
  // A direct answer for one molecule has the same verdict as the job. Only the correction for the length of
  // the list differs.
  const auto one = served().post("/api/v1/domain", list.substr(0, list.find('\n'))).json().at("rows")[0];
  EXPECT_NEAR(one.at("distance").get<double>(), json.at("rows")[0].at("distance").get<double>(), 1e-4);
  EXPECT_EQ(one.at("foreign"), json.at("rows")[0].at("foreign"));
}

TEST_F(Server, AListInJsonCountsItsLinesFromOne) {
  const std::string list = R"({"smiles": ["CCO", "CCN"]})";
  for (const char* const task : {"domain?job=1", "encode?encoder=ecfp&job=1"}) {
    const auto job =
        served().post(std::string("/api/v1/") + task, list, {{"Content-Type", "application/json"}});
    const std::string id = job.json().at("job");
    ASSERT_EQ(served().finished(id).at("state"), "done");
    const auto rows = served().get("/api/v1/jobs/" + id + "/result").json().at("rows");
    EXPECT_EQ(rows.at(0).at("line"), 1) << task;
    EXPECT_EQ(rows.at(1).at("line"), 2) << task;
  }
}

TEST_F(Server, StreamsFeaturesAsRows) {
  const HttpAnswer answer = served().post("/api/v1/encode?encoder=ecfp", many_molecules(3000),
                                          {{"Accept", "application/x-ndjson"}});
  ASSERT_EQ(answer.status, 200);
  EXPECT_THAT(answer.header, HasSubstr("chunked"));
  std::istringstream lines(answer.body);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto row = nlohmann::json::parse(line);
    ASSERT_EQ(row.at("row"), count);
    ASSERT_FALSE(row.at("features").empty());
  }
  EXPECT_EQ(count, 3000U);
  const auto few = served().post("/api/v1/encode?encoder=ecfp", "CCO\nnonsense\n").json();
  EXPECT_EQ(few.at("rows")[0].at("features").size(), few.at("columns").get<std::size_t>());
  EXPECT_TRUE(few.at("rows")[1].at("features").is_null());
}

TEST_F(Server, ExplainsASnapshot) {
  const HttpAnswer answer =
      served().post("/api/v1/explain", read_file(MOLGAUGE_TEST_DATA "/allocator/recorded/by-hand.pickle"));
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_NE(answer.json().at("verdict"), "");
  EXPECT_NE(answer.json().at("text"), "");
  const std::string id = answer.json().at("job");
  EXPECT_EQ(answer.json().at("explanation").at("kind"), "explanation");
  const std::string page = served().get("/api/v1/jobs/" + id + "/result?as=html").body;
  EXPECT_THAT(
      page, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("input.pickle"), Not(HasSubstr("/input.pickle"))));
}

TEST_F(Server, DrawsMolecules) {
  const HttpAnswer drawing = served().get("/api/v1/depict?smiles=CCO&atoms=0,1");
  EXPECT_EQ(drawing.status, 200);
  EXPECT_THAT(drawing.header, HasSubstr("image/svg+xml"));
  EXPECT_THAT(drawing.body, StartsWith("<svg xmlns="));
  EXPECT_NE(drawing.body, served().get("/api/v1/depict?smiles=CCO").body);
  const HttpAnswer alert = served().get("/api/v1/depict?smiles=CC=O&alert=aldehyde");
  EXPECT_EQ(alert.status, 200);
  EXPECT_NE(alert.body, served().get("/api/v1/depict?smiles=CC=O").body);
  EXPECT_EQ(served().get("/api/v1/depict?smiles=CCO&alert=aldehyde").status, 400);
  EXPECT_EQ(served().get("/api/v1/depict?smiles=nonsense").status, 422);
  const auto typed = served().post("/api/v1/depict", R"({"smiles": "C(C"})",
                                   {{"Content-Type", "application/json"}, {"Accept", "application/json"}});
  EXPECT_EQ(typed.status, 200);
  EXPECT_TRUE(typed.json().at("svg").is_null());
  EXPECT_NE(typed.json().at("reason"), "");
  EXPECT_EQ(served().get("/api/v1/depict?smiles=CCO&atoms=9").status, 422);
  EXPECT_EQ(served().get("/api/v1/depict?smiles=CCO&width=9").status, 400);
  const auto wide = served().post("/api/v1/depict", R"({"smiles": "CCO", "width": 1e308})",
                                  {{"Content-Type", "application/json"}});
  EXPECT_EQ(wide.status, 400);
  EXPECT_THAT(wide.body, testing::HasSubstr("width=1e+308: a whole number from 16 to 2000 is expected"));
}

/// The page without scripts must show the names and SMILES of a request as text and not as markup.
TEST_F(Server, TheFormWorksWithoutAScript) {
  const HttpAnswer answer =
      served().post("/form", "model=&smiles=OCCCCc1ccccc1+%3Cscript%3Ealert(1)%3C%2Fscript%3E%0ACCBr",
                    {{"Content-Type", "application/x-www-form-urlencoded"}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_THAT(answer.body, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(answer.body, testing::Not(HasSubstr("<script>alert(1)")));
  EXPECT_THAT(answer.body, HasSubstr("<svg"));
  EXPECT_THAT(answer.body, HasSubstr("inside"));
}

TEST_F(Server, RefusesWithTheStatusAndTheReason) {
  EXPECT_EQ(served().post("/api/v1/domain", "").status, 411);
  EXPECT_EQ(served().post("/api/v1/domain", " \n").status, 422);
  EXPECT_EQ(served().post("/api/v1/domain?model=other", "CCO").status, 400);
  EXPECT_EQ(served().post("/api/v1/encode?encoder=other", "CCO").status, 400);
  EXPECT_EQ(served().post("/api/v1/domain", "CCO", {{"Content-Type", "image/png"}}).status, 400);
  EXPECT_EQ(served().post("/api/v1/domain", "{", {{"Content-Type", "application/json"}}).status, 422);
  EXPECT_EQ(served().post("/api/v1/domain?as=pdf", "CCO").status, 400);
  EXPECT_EQ(served().get("/api/v1/domain").status, 405);
  EXPECT_EQ(served().get("/api/v1/nothing").status, 404);
  EXPECT_EQ(served().get("/api/v1/jobs/0123").status, 404);
  EXPECT_EQ(served().post("/api/v1/explain", "no pickle").status, 422);
  const auto csv = served().post("/api/v1/domain", "a,b\n1,2\n", {{"Content-Type", "text/csv"}});
  EXPECT_EQ(csv.status, 422);
  EXPECT_THAT(csv.json().at("error").at("message").get<std::string>(), StartsWith("input.csv:1: no column"));
  const auto named =
      served().post("/api/v1/domain?name=/tmp/%3Cmine%3E.csv", "a,b\n1,2\n", {{"Content-Type", "text/csv"}});
  EXPECT_THAT(named.json().at("error").at("message").get<std::string>(), StartsWith("_mine_.csv:1: "));
}

TEST(ServerEnd, FinishesWhatRunsAndKeepsJobs) {
  Served served({"--shutdown-seconds", "600"});
  HttpAnswer answer;
  std::thread client([&] { answer = served.post("/api/v1/domain", many_molecules(1000)); });
  while (served.get("/api/v1/health").json().at("queue").at("running") == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(served.end(SIGTERM), 0);
  client.join();
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.json().at("rows").size(), 1000U);
}

TEST(ServerStart, RefusesWhatIsUnsafe) {
  const Served served;
  EXPECT_NE(served.run("serve --bind 0.0.0.0 --port 0 2> '" + served.path("err") + "'"), 0);
  EXPECT_THAT(read_file(served.path("err")), HasSubstr("--token-file"));
  EXPECT_NE(served.run("serve --host 0.0.0.0 --port 0 2> '" + served.path("err") + "'"), 0);
  EXPECT_THAT(read_file(served.path("err")), HasSubstr("use --bind 0.0.0.0"));
  EXPECT_NE(served.run("serve --model '" + served.path("nothing") + "' --work '" + served.path("w2") +
                       "' --port 0 2> '" + served.path("err") + "'"),
            0);
  EXPECT_NE(served.run("serve --port " + std::to_string(served.port()) + " --work '" + served.path("w2") +
                       "' 2> '" + served.path("err") + "'"),
            0);
  EXPECT_THAT(read_file(served.path("err")), HasSubstr("--port"));
}

}  // namespace
}  // namespace molgauge::test
