#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/text/bytes.h"
#include "budgets.h"
#include "workplace.h"

/// Real runs under budgets for the whole process.
namespace molgauge::test {
namespace {

using testing::HasSubstr;

/// The sufficient budget that a refusal names, or nothing.
std::string smallest_budget(const std::string& message) {
  const std::uint64_t named = named_budget(message);
  return named == 0 ? "" : mebibytes(named);
}

class MemoryBudget : public testing::Test {
 protected:
  void SetUp() override {
    if (is_instrumented()) {
      GTEST_SKIP() << "resident memory is the sanitizer's";
    }
  }
  Workplace place_;
};

TEST_F(MemoryBudget, EncodingStaysWithinIt) {
  const std::string molecules = place_.nci_molecules(2000);
  const Outcome outcome = place_.encode(molecules, {"--memory-budget", "400MiB"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_LE(outcome.peak_resident_bytes, 400 * kMebibyte);
}

TEST_F(MemoryBudget, TooSmallEndsWithWhatWouldDoAndThatDoes) {
  const std::string molecules = place_.nci_molecules(2000);
  const Outcome refused = place_.encode(molecules, {"--memory-budget", "20MiB"});
  EXPECT_EQ(refused.exit_code, 4) << refused.err;
  const std::string budget = smallest_budget(refused.err);
  ASSERT_FALSE(budget.empty()) << refused.err;
  const Outcome done = place_.encode(molecules, {"--memory-budget", budget});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_LE(done.peak_resident_bytes, parse_bytes(budget));
}

TEST_F(MemoryBudget, TrainingStaysWithinItAndItsReportSaysSo) {
  const std::string benchmark = place_.path("b.json"), run = place_.path("run");
  ASSERT_EQ(place_.split(place_.nci_molecules(1500), benchmark).exit_code, 0);
  const std::vector<std::string> options = {"--epochs",   "3",  "--train-size", "200",
                                            "--val-size", "50", "--test-size",  "50"};
  const auto train = [&](const std::string& budget) {
    auto all = options;
    all.insert(all.end(), {"--memory-budget", budget});
    return place_.train(benchmark, run, all);
  };
  const Outcome refused = train("20MiB");
  EXPECT_EQ(refused.exit_code, 4) << refused.err;
  const std::string budget = smallest_budget(refused.err);
  ASSERT_FALSE(budget.empty()) << refused.err;
  const Outcome done = train(budget);
  EXPECT_EQ(done.exit_code, 0) << done.err;

  const auto stats = nlohmann::json::parse(read_file(run + "/training_stats.json"));
  EXPECT_EQ(stats.at("memory_budget_bytes"), parse_bytes(budget));
  for (const char* phase : {"encoding", "train"}) {
    EXPECT_LE(stats.at("peak_host_memory_bytes").at(phase), parse_bytes(budget)) << phase;
  }
  EXPECT_GT(stats.at("peak_tensor_memory_bytes").at("train / backward"), 0U);
  EXPECT_GT(stats.at("planned_memory_bytes").at("encoding"), 0U);
  EXPECT_EQ(stats.at("memory_plans").at(0).at("work"), "encode with ecfp");
  EXPECT_EQ(stats.at("memory_plans").at(1).at("work"), "train an energy head");
}

TEST_F(MemoryBudget, RefusesWhatHasNoEffectOrNoMeaning) {
  const std::string molecules = place_.nci_molecules(10);
  EXPECT_EQ(place_.encode(molecules, {"--host-memory-budget", "1GiB"}).exit_code, 2);
  EXPECT_EQ(place_.encode(molecules, {"--memory-budget", "20GB"}).exit_code, 2);
  EXPECT_EQ(place_.encode(molecules, {"--memory-budget", "120%"}).exit_code, 2);
  EXPECT_EQ(place_.encode(molecules, {"--memory-trace-ring", "100"}).exit_code, 2);
}

/// The encoder is MiniMol. Its tensors need most of the memory of an encoding.
TEST_F(MemoryBudget, MinimolKeepsToTheSmallestBudgetAsWell) {
  const char* const from = std::getenv("MOLGAUGE_TEST_WEIGHTS");
  if (from == nullptr) {
    GTEST_SKIP() << "MOLGAUGE_TEST_WEIGHTS does not name MiniMol's weights";
  }
  const std::string molecules = place_.nci_molecules(400);
  std::string weights = from;  // installed weights, or a wheel or .pth file to install
  if (!std::filesystem::is_directory(from)) {
    weights = place_.path("weights");
    ASSERT_EQ(molgauge({"weights", "install", "minimol", "--from", from, "--weights", weights}).exit_code, 0);
  }
  // The run uses the batches of the plan and stays within the projected memory.
  const std::vector<std::string> common = {molecules, "--weights",       weights, "--threads",
                                           "1",       "--memory-budget", "600MiB"};
  std::vector<std::string> planning = {"memory", "plan", "encode", "--json"},
                           encoding = {"encode", "--store"};
  planning.insert(planning.end(), common.begin(), common.end());
  encoding.push_back(place_.path("planned"));
  encoding.insert(encoding.end(), common.begin(), common.end());
  const auto plan = nlohmann::json::parse(molgauge(planning).out).at(0);
  const auto& strategy = plan.at("alternatives").at(plan.at("chosen").get<std::size_t>());
  const std::string batches = std::to_string(strategy.at("batches").get<std::size_t>()) + " batches";
  const Outcome planned = molgauge(encoding);
  EXPECT_THAT(planned.err, HasSubstr("planned: " + batches + " of up to 2048 atoms"));
  EXPECT_THAT(planned.err, HasSubstr("encoded: " + batches));
  EXPECT_TRUE(plan.at("is_exact").get<bool>());

  const auto encode = [&](const std::string& store, const std::string& budget) {
    return molgauge({"encode", molecules, "--weights", weights, "--store", place_.path(store),
                     "--memory-budget", budget});
  };
  const std::string budget = smallest_budget(encode("none", "20MiB").err);
  ASSERT_FALSE(budget.empty());
  const Outcome small = encode("small", budget);
  EXPECT_EQ(small.exit_code, 0) << small.err;
  EXPECT_LE(small.peak_resident_bytes, parse_bytes(budget));
  const Outcome ample = encode("ample", "700MiB");
  EXPECT_EQ(ample.exit_code, 0) << ample.err;
  EXPECT_LE(ample.peak_resident_bytes, 700 * kMebibyte);
}

}  // namespace
}  // namespace molgauge::test
