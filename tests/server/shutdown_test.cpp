// Tests the shutdown of the server. It has a time limit, and a second signal ends the server at once.

#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include "served.h"

namespace molgauge::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

class Shutdown : public testing::Test {
 protected:
  /// Starts a job that computes for some seconds, and waits until it computes, or has ended because of a
  /// limit of time.
  static std::string long_job(const Served& served, int molecules = 30'000) {
    const std::string job = served.post("/api/v1/domain?job=1", many_molecules(molecules)).json().at("job");
    nlohmann::json state;
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      state = served.get("/api/v1/jobs/" + job).json();
    } while (state.at("done") == 0 && (state.at("state") == "waiting" || state.at("state") == "running"));
    return job;
  }
};

TEST_F(Shutdown, InterruptsWhatRunsAfterItsPatienceAndTheJobGoesOn) {
  Served served({"--shutdown-seconds", "0.2"});
  const std::string job = long_job(served, 2'500);
  HttpAnswer answer;
  std::thread client([&] { answer = served.post("/api/v1/domain", many_molecules(3000)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto begun = Clock::now();
  EXPECT_EQ(served.end(SIGTERM), 0);
  EXPECT_LT(seconds_since(begun), 20);
  client.join();
  EXPECT_EQ(answer.status, 503) << "waiting clients get an answer";
  served.start();
  EXPECT_EQ(served.get("/api/v1/jobs/" + job).json().at("state").get<std::string>().find("fail"),
            std::string::npos);
  EXPECT_EQ(served.finished(job).at("state"), "done");
  EXPECT_EQ(served.get("/api/v1/jobs/" + job + "/result?from=2499&count=5").json().at("rows").size(), 1U);
}

TEST_F(Shutdown, LimitsOfTimeHoldWhileItEnds) {
  Served served({"--max-seconds", "2", "--shutdown-seconds", "60"});
  long_job(served);
  const auto begun = Clock::now();
  EXPECT_EQ(served.end(SIGTERM), 0);
  EXPECT_LT(seconds_since(begun), 20);
}

TEST_F(Shutdown, ASecondSignalEndsItAtOnce) {
  Served served({"--shutdown-seconds", "60"});
  long_job(served);
  served.signal(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(served.is_alive());
  const auto begun = Clock::now();
  EXPECT_EQ(served.end(SIGTERM), 128 + SIGTERM);
  EXPECT_LT(seconds_since(begun), 10);
}

}  // namespace
}  // namespace molgauge::test
