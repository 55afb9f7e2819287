// Tests that clients that send nothing or read nothing do not block other clients, and no request delays the
// connections of other clients.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "served.h"

namespace molgauge::test {
namespace {

using Clock = std::chrono::steady_clock;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// The time that `share` of the times do not exceed. `times` must not be empty.
double quantile(std::vector<double> times, double share) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
}

double median(const std::vector<double>& times) { return quantile(times, 0.5); }

// The limits of time are wide, because other tests use the same processors. A request that is blocked takes
// longer than its limit.
/// A connection that stalls is cut off after ten seconds.
constexpr double kCutOffSeconds = 20;
/// A request that waited for a stalled connection would take ten seconds.
constexpr double kUnblockedSeconds = 6;
/// The median of requests that wait for no turn of a long list. A turn takes up to two seconds.
constexpr double kImmediateSeconds = 0.2;

class SlowClients : public testing::Test {
 protected:
  /// The header of an upload of 60 MiB.
  std::string upload() const {
    return "POST /api/v1/domain HTTP/1.1\r\nHost: " + served_.host() +
           "\r\nContent-Type: text/plain\r\nContent-Length: 62914560\r\n\r\n";
  }
  /// The longest time of some short requests, which must all be answered.
  double longest_of_short_requests(int count) const {
    double longest = 0;
    for (int i = 0; i < count; ++i) {
      const auto begun = Clock::now();
      EXPECT_EQ(served_.post("/api/v1/domain", "CCO\n").status, 200);
      longest = std::max(longest, seconds_since(begun));
    }
    return longest;
  }

  Served served_{{"--max-connections", "64"}};
};

TEST_F(SlowClients, UploadsThatSendNothingKeepNobodyOut) {
  std::vector<std::unique_ptr<HttpSocket>> uploads;
  for (int i = 0; i < 200; ++i) {
    uploads.push_back(std::make_unique<HttpSocket>(served_.port(), 30));
    uploads.back()->send_all(upload());
  }
  EXPECT_LT(longest_of_short_requests(20), kUnblockedSeconds);
  EXPECT_EQ(served_.get("/api/v1/health").status, 200);
  EXPECT_EQ(served_.post("/api/v1/domain?job=1", many_molecules(4000)).status, 202) << "an upload that sends";
  // The server keeps a few uploads that send nothing. It waits at most ten seconds for each of them.
  const auto begun = Clock::now();
  std::size_t refused = 0, late = 0;
  for (const auto& one : uploads) {
    const std::string answer = one->read_all();
    refused += answer.find(" 503 ") != std::string::npos ? 1 : 0;
    late += answer.find(" 408 ") != std::string::npos ? 1 : 0;
  }
  EXPECT_LT(seconds_since(begun), kCutOffSeconds);
  EXPECT_EQ(refused, 0U) << "an upload that has sent nothing takes no slot";
  EXPECT_LE(late, 64U);
  EXPECT_EQ(served_.get("/api/v1/health").status, 200);
}

/// All clients of a test share one address. Stalled uploads, which declare a GiB but send only 100 kB, occupy
/// the slots, and further stalled uploads arrive constantly. The server still accepts uploads that send data.
TEST_F(SlowClients, StalledUploadsOfOneMachineKeepNoUploadOut) {
  const std::string head =
      "POST /api/v1/explain HTTP/1.1\r\nHost: " + served_.host() + "\r\nContent-Length: 1073741824\r\n\r\n";
  const std::string beginning(100'000, 'C');
  std::atomic<int> stalled = 0;
  std::jthread hostile([&](const std::stop_token& stop) {
    std::vector<std::unique_ptr<HttpSocket>> uploads;
    while (!stop.stop_requested()) {
      uploads.push_back(std::make_unique<HttpSocket>(served_.port(), 30));
      uploads.back()->send_all(head);
      uploads.back()->send_all(beginning);
      ++stalled;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  while (stalled < 40) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::string list = many_molecules(8000);
  EXPECT_GT(list.size(), 128U << 10) << "needs a slot";
  for (int i = 0; i < 6; ++i) {
    const auto begun = Clock::now();
    const HttpAnswer answer = served_.post("/api/v1/domain?job=1", list);
    ASSERT_EQ(answer.status, 202) << i << ": " << answer.body;
    EXPECT_LT(seconds_since(begun), 10);
    served_.request("DELETE", "/api/v1/jobs/" + answer.json().at("job").get<std::string>(), "");
  }
  EXPECT_LT(longest_of_short_requests(20), kUnblockedSeconds);
}

/// A body must arrive fast enough, also after a quick start. One upload stalls and another one arrives
/// slowly.
TEST_F(SlowClients, UploadsThatStallOrArriveSlowlyAreCutOff) {
  const HttpSocket stalled(served_.port(), 40), slow(served_.port(), 30);
  stalled.send_all(upload());
  stalled.send_all(std::string(std::size_t{8} << 20, '\n'));
  slow.send_all(upload());
  const auto begun = Clock::now();
  const std::jthread sender([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      slow.send_all("C\n");
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
    }
  });
  // The answer may be lost because the client is still sending when the server closes.
  EXPECT_THAT(slow.read_all(), AnyOf(IsEmpty(), HasSubstr(" 408 ")));
  stalled.read_all();
  EXPECT_LT(seconds_since(begun), kCutOffSeconds);
}

TEST_F(SlowClients, ConnectionsThatSendNothingMakeRoomForNewOnes) {
  std::vector<std::unique_ptr<HttpSocket>> silent;
  for (int i = 0; i < 300; ++i) {
    silent.push_back(std::make_unique<HttpSocket>(served_.port(), 30));
  }
  EXPECT_LT(longest_of_short_requests(20), kUnblockedSeconds);
}

/// Requests without computation are answered at once while the engine computes.
TEST_F(SlowClients, NothingWaitsForTheEngineButWhatComputes) {
  const std::string job = served_.post("/api/v1/domain?job=1", many_molecules(4'000)).json().at("job");
  std::map<std::string, std::vector<double>> times;
  while (served_.get("/api/v1/jobs/" + job).json().at("state") != "done") {
    for (const char* const target : {"/api/v1/models", "/api/v1/health", "/metrics", "/"}) {
      const auto asked = Clock::now();
      EXPECT_EQ(served_.get(target).status, 200) << target;
      times[target].push_back(seconds_since(asked));
    }
    const auto asked = Clock::now();
    const HttpAnswer encode = served_.post("/api/v1/encode?encoder=ecfp&job=1", "CCO\n");
    EXPECT_EQ(encode.status, 202);
    EXPECT_EQ(
        served_.request("DELETE", "/api/v1/jobs/" + encode.json().at("job").get<std::string>(), "").status,
        200);
    times["a new job that is cancelled"].push_back(seconds_since(asked));
  }
  EXPECT_EQ(times.size(), 5U) << "the list is too short";
  for (const auto& [request, its_times] : times) {
    EXPECT_LT(median(its_times), kImmediateSeconds) << request << " waited for the engine";
    EXPECT_LT(quantile(its_times, 0.95), 0.5) << request << " sometimes waited for the engine";
  }
}

/// A molecule of 1,999 atoms becomes a job. Jobs get only a quarter of the time, and short requests run
/// before them.
TEST_F(SlowClients, CostlyMoleculesBecomeJobs) {
  const std::string chain = "c1ccccc1" + std::string(1993, 'C') + "\n";
  HttpAnswer answer;
  std::thread hostile([&] { answer = served_.post("/api/v1/domain", chain + chain); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  std::vector<double> times;
  const auto begun = Clock::now();
  while (times.size() < 60 || seconds_since(begun) < 2) {
    const auto asked = Clock::now();
    EXPECT_EQ(served_.post("/api/v1/domain", "CCO\n").status, 200);
    times.push_back(seconds_since(asked));
  }
  EXPECT_LT(median(times), kImmediateSeconds);
  EXPECT_EQ(
      served_.post("/form", "model=&smiles=" + chain, {{"Content-Type", "application/x-www-form-urlencoded"}})
          .status,
      400);
  hostile.join();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.json().at("rows").size(), 2U);
  std::size_t jobs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(served_.path("work/jobs"))) {
    jobs += entry.is_directory() ? 1 : 0;
  }
  EXPECT_EQ(jobs, 1U) << "the expensive list, and not a short one";
}

/// A client sends short requests with pauses while a job computes a long list. Most of these requests do not
/// wait until a turn of the list has ended.
TEST_F(SlowClients, MostShortRequestsWaitForNoTurnOfALongList) {
  const std::string job = served_.post("/api/v1/domain?job=1", many_molecules(40'000)).json().at("job");
  std::vector<double> times;
  const auto begun = Clock::now();
  while ((seconds_since(begun) < 3 || times.size() < 10) &&
         served_.get("/api/v1/jobs/" + job).json().at("state") != "done") {
    const auto asked = Clock::now();
    ASSERT_EQ(served_.post("/api/v1/domain", "CCO\n").status, 200);
    times.push_back(seconds_since(asked));
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
  ASSERT_GE(times.size(), 10U) << "the list is too short";
  EXPECT_LT(median(times), kImmediateSeconds);
}

/// A long list yields to short requests and ends with the same result.
TEST_F(SlowClients, ALongListGivesWay) {
  const std::string list = many_molecules(8'000);
  const std::string job = served_.post("/api/v1/domain?job=1", list).json().at("job");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::size_t asked = 0;
  double longest = 0;
  while (served_.get("/api/v1/jobs/" + job).json().at("state") != "done") {
    const auto begun = Clock::now();
    ASSERT_EQ(served_.post("/api/v1/domain", "CCO\n").status, 200);
    longest = std::max(longest, seconds_since(begun));
    ++asked;
    ASSERT_LT(asked, 100'000U) << "the job does not end";
  }
  std::printf("%zu short requests during a list of 8,000. The longest took %.2f s\n", asked, longest);
  EXPECT_GE(asked, 3U) << "the first of them waited for the end of the list";
  const auto rows = served_.get("/api/v1/jobs/" + job + "/result?from=7999&count=2").json();
  EXPECT_EQ(rows.at("next"), 8'000);
}

}  // namespace
}  // namespace molgauge::test
