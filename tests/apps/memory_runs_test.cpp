#include <chrono>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "workplace.h"

/// Traces, reports and the live view of real runs.
namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class MemoryOfRuns : public testing::Test {
 protected:
  std::string benchmark() {
    const std::string file = place_.path("b.json");
    EXPECT_EQ(place_.split(place_.nci_molecules(1500), file).exit_code, 0);
    return file;
  }
  Outcome train(const std::string& run, std::vector<std::string> more = {}) {
    more.insert(more.end(),
                {"--epochs", "4", "--train-size", "200", "--val-size", "50", "--test-size", "50"});
    return place_.train(benchmark(), run, more);
  }
  Workplace place_;
};

TEST_F(MemoryOfRuns, ATraceOfATrainingIsSimulatedAndExplained) {
  const std::string trace = place_.path("train.trace");
  const Outcome trained = train(place_.path("run"), {"--memory-trace", trace});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Outcome simulated = molgauge({"memory", "simulate", trace, "--json"});
  ASSERT_EQ(simulated.exit_code, 0) << simulated.err;
  const auto report = nlohmann::json::parse(simulated.out);
  EXPECT_GT(report.at("allocations"), 100U);
  EXPECT_TRUE(report.at("runs").at(0).at("fits"));

  const Outcome explained = molgauge({"memory", "explain", trace});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(explained.out, HasSubstr("train / epoch")) << "who held memory, by phase and epoch";
}

TEST_F(MemoryOfRuns, ARingKeepsTheLastEvents) {
  const std::string trace = place_.path("ring.trace");
  ASSERT_EQ(train(place_.path("run"), {"--memory-trace", trace, "--memory-trace-ring", "200"}).exit_code, 0);
  const Outcome simulated = molgauge({"memory", "simulate", trace, "--json"});
  ASSERT_EQ(simulated.exit_code, 0) << simulated.err;
  EXPECT_LT(nlohmann::json::parse(simulated.out).at("events"), 1000U);
}

TEST_F(MemoryOfRuns, ReportShowsPhasesAgainstTheBudget) {
  const std::string run = place_.path("run");
  ASSERT_EQ(train(run, {"--memory-budget", "2GiB"}).exit_code, 0);
  ASSERT_EQ(place_.evaluate(run).exit_code, 0);
  const Outcome text = molgauge({"memory", "report", run});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  for (const char* part :
       {"train on cpu, budget 2.00 GiB", "encoding", "train / forward", "evaluate on cpu", "eval"}) {
    EXPECT_THAT(text.out, HasSubstr(part));
  }
  const auto json = nlohmann::json::parse(molgauge({"memory", "report", run, "--json"}).out);
  EXPECT_EQ(json.at("train").at("memory_budget_bytes"), std::uint64_t{2} << 30);
  EXPECT_GT(json.at("evaluate").at("peak_host_memory_bytes").at("eval"), 0U);
  EXPECT_EQ(molgauge({"memory", "report", place_.path("nowhere")}).exit_code, 3);
}

/// Each thread has a shard of rows in memory. More threads therefore need more memory, for any OpenMP
/// settings. The number of threads that work at the same time varies, so the comparison has several attempts.
TEST_F(MemoryOfRuns, ScoringHasTheThreadsThatWereAskedFor) {
  const std::string molecules = place_.nci_molecules(5000), run = place_.path("run");
  ASSERT_EQ(train(run, {"--eval-batch-size", "4096"}).exit_code, 0);
  const std::string large = place_.path("large.json");
  ASSERT_EQ(place_.split(molecules, large).exit_code, 0);
  auto file = nlohmann::json::parse(read_file(large));
  std::swap(file["split"]["train"], file["split"]["iid_test"]);
  replace_file(large, file.dump());

  const auto peak = [&](std::vector<std::string> words, const std::string& threads) {
    const std::string trace = place_.path("threads.trace");
    words.insert(words.end(),
                 {"--store", place_.path("store"), "--threads", threads, "--memory-trace", trace});
    CommandOptions options;
    options.environment = {{"OMP_NUM_THREADS", "1"}};
    const Outcome outcome = molgauge(words, options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Outcome simulated = molgauge({"memory", "simulate", trace, "--json"});
    return nlohmann::json::parse(simulated.out)
        .at("runs")
        .at(0)
        .at("peak_allocated_bytes")
        .get<std::size_t>();
  };
  for (const auto& words : {std::vector<std::string>{"score", run, molecules},
                            std::vector<std::string>{"evaluate", run, "--data", large, "--allow-overlap"}}) {
    peak(words, "1");  // later steps find their features in the store
    const std::size_t alone = peak(words, "1");
    bool is_more = false;
    for (int attempt = 0; attempt < 10 && !is_more; ++attempt) {
      is_more = peak(words, "4") > alone;
    }
    EXPECT_TRUE(is_more) << words.front();
  }
}

TEST_F(MemoryOfRuns, WatchFollowsARunToItsEnd) {
  const std::string run = place_.path("run"), file = benchmark();
  const std::filesystem::path status = run + "/status.json";
  // Five seconds are enough for `memory watch` to observe the training, even on a slow machine.
  const auto has_trained_for_a_while =
      [&, begin = std::optional<std::chrono::steady_clock::time_point>()]() mutable {
        if (!begin && std::filesystem::exists(status)) {
          begin = std::chrono::steady_clock::now();
        }
        return begin && std::chrono::steady_clock::now() > *begin + std::chrono::seconds(5);
      };
  std::thread training([&] {
    place_.train(file, run,
                 {"--epochs", "100000", "--patience", "100000", "--train-size", "200", "--val-size", "50",
                  "--test-size", "50"},
                 {.stdin_text = "",
                  .environment = {},
                  .kill_after = {},
                  .interrupt_after = {},
                  .kill_when = has_trained_for_a_while,
                  .largest_file_bytes = {},
                  .program = {}});
  });
  for (int attempt = 0; attempt < 2400 && !std::filesystem::exists(status); ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const Outcome watched = molgauge({"memory", "watch", run, "--every", "0.2"});
  training.join();
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_THAT(watched.out, HasSubstr("(molgauge)"));
  EXPECT_THAT(watched.out, HasSubstr("train"));
  EXPECT_THAT(watched.out, HasSubstr("batch 2 x 512 molecules"));
  EXPECT_THAT(watched.out, HasSubstr(": ended"));
  EXPECT_THAT(watched.out, Not(HasSubstr("\x1b"))) << "no terminal";
}

TEST_F(MemoryOfRuns, WatchSaysWhenThereIsNothingToWatch) {
  EXPECT_EQ(molgauge({"memory", "watch", place_.path("nowhere")}).exit_code, 3);
  const Outcome no_process = molgauge({"memory", "watch", "99999999"});
  EXPECT_EQ(no_process.exit_code, 3);
  EXPECT_THAT(no_process.err, HasSubstr("no process has this ID"));
  const std::string run = place_.path("run");
  ASSERT_EQ(train(run).exit_code, 0);
  const Outcome ended = molgauge({"memory", "watch", run});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("is not running"));
}

}  // namespace
}  // namespace molgauge::test
