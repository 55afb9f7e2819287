// Tests which files a killed server leaves, and how the next server handles them.

#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "served.h"

namespace molgauge::test {
namespace {

TEST(ServerRestart, JobsGoOnAfterAKillAndEndAsUndisturbed) {
  Served served;
  const std::string list = many_molecules(1500);
  const std::string expected = served.post("/api/v1/encode?encoder=ecfp&as=ndjson", list).body;
  const std::string id = served.post("/api/v1/encode?encoder=ecfp&job=1", list).json().at("job");
  const std::string judged = served.post("/api/v1/domain?job=1", list).json().at("job");
  std::size_t kept = 0;
  for (int kills = 0; kills < 4; ++kills) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + 60 * kills));
    const auto rows = served.get("/api/v1/jobs/" + id + "/result?from=0&count=2000").json().at("rows").size();
    EXPECT_GE(rows, kept) << "rows are gone";
    kept = rows;
    EXPECT_EQ(served.end(SIGKILL), -SIGKILL);
    served.start();
  }
  EXPECT_EQ(served.finished(id).at("state"), "done");
  EXPECT_EQ(served.get("/api/v1/jobs/" + id + "/result?as=ndjson").body, expected);
  EXPECT_EQ(served.finished(judged).at("state"), "done");
  EXPECT_EQ(served.get("/api/v1/jobs/" + judged + "/result").json().at("rows").size(), 1500U);
}

TEST(ServerRestart, AFinishedJobStaysAndACancelledOneEnds) {
  Served served;
  const std::string id = served.post("/api/v1/domain?job=1", many_molecules(300)).json().at("job");
  ASSERT_EQ(served.finished(id).at("state"), "done");
  const std::string before = served.get("/api/v1/jobs/" + id + "/result").body;
  const std::string long_one =
      served.post("/api/v1/encode?encoder=ecfp&job=1", many_molecules(50000)).json().at("job");
  EXPECT_EQ(served.request("DELETE", "/api/v1/jobs/" + long_one, "").status, 200);
  EXPECT_EQ(served.finished(long_one).at("state"), "cancelled");
  EXPECT_EQ(served.get("/api/v1/jobs/" + long_one + "/result").status, 409);
  served.end(SIGKILL);
  served.start();
  EXPECT_EQ(served.get("/api/v1/jobs/" + id + "/result").body, before);
  EXPECT_EQ(served.get("/api/v1/jobs/" + long_one).json().at("state"), "cancelled");
  EXPECT_EQ(served.request("DELETE", "/api/v1/jobs/" + id, "").status, 200);
  EXPECT_EQ(served.get("/api/v1/jobs/" + id).status, 404);
}

/// The server ends while a job waits. Then its input is replaced by a pipe.
TEST(ServerRestart, APipeInPlaceOfAnInputEndsItsJob) {
  Served served;
  const std::string busy =
      served.post("/api/v1/encode?encoder=ecfp&job=1", many_molecules(50000)).json().at("job");
  const std::string id = served.post("/api/v1/domain?job=1", many_molecules(300)).json().at("job");
  ASSERT_EQ(served.end(SIGKILL), -SIGKILL);
  const std::filesystem::path folder = std::filesystem::path(served.path("work")) / "jobs" / id;
  std::filesystem::path input;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    input = entry.path().stem() == "input" ? entry.path() : input;
  }
  ASSERT_TRUE(std::filesystem::remove(input)) << "the job has ended";
  ASSERT_EQ(mkfifo(input.c_str(), 0600), 0);
  served.start();
  EXPECT_EQ(served.request("DELETE", "/api/v1/jobs/" + busy, "").status, 200);
  EXPECT_EQ(served.finished(id).at("state"), "failed");
  EXPECT_EQ(served.post("/api/v1/domain", "CCO").status, 200) << "the thread of the jobs is blocked";
}

}  // namespace
}  // namespace molgauge::test
