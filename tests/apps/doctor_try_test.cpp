// Tests that `molgauge doctor --try` passes on a working machine, and fails after a fault is injected.

#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "support/instrumented.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class DoctorTry : public testing::Test {
 protected:
  Outcome try_out(std::vector<std::string> more, CommandOptions options = {}) {
    more.insert(more.begin(), {"doctor", "--try", "--store", place_.path("store")});
    return molgauge(more, options);
  }
  static nlohmann::json checks_of(const nlohmann::json& report, bool passed) {
    nlohmann::json names = nlohmann::json::array();
    for (const auto& check : report.at("checks")) {
      if (check.at("passed") == passed) {
        names.push_back(check.at("name"));
      }
    }
    return names;
  }
  Workplace place_;
};

TEST_F(DoctorTry, PassesOnAMachineThatWorks) {
  if (is_instrumented()) {
    GTEST_SKIP() << "a sanitizer needs more memory than planned";
  }
  const Outcome outcome = try_out({"--encoder", "ecfp", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report.at("molecules"), 96);
  EXPECT_EQ(report.at("failed_records"), 0);
  EXPECT_TRUE(report.at("passed"));
  EXPECT_EQ(checks_of(report, true),
            nlohmann::json({"weights", "benchmark", "as usual", "store", "second run", "half the memory",
                            "half the memory: same results", "conservative", "conservative: same results",
                            "memory"}));
  std::vector<std::string> phases;
  for (const auto& phase : report.at("phases")) {
    phases.push_back(phase.at("phase"));
    EXPECT_GT(phase.at("peak_bytes"), 0);
    EXPECT_GT(phase.at("budget_bytes"), 0);
    EXPECT_FALSE(phase.at("why_unused").get<std::string>().empty()) << phase;
  }
  EXPECT_THAT(phases, testing::ElementsAre("encoding", "train", "eval", "encoding", "train", "eval",
                                           "encoding", "train", "eval"));
  EXPECT_FALSE(std::filesystem::exists(place_.path("store"))) << "the store itself is left alone";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place_.path("")), {}), 0) << "a folder is left";
}

TEST_F(DoctorTry, PrintsTablesAndNamesMoleculesThatFailed) {
  std::string molecules = read_file(place_.nci_molecules(200));
  molecules += "C1CC broken\n";
  const Outcome outcome = try_out({place_.file("mine.smi", molecules), "--encoder", "ecfp"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("201 molecules with ecfp, 1 failed"));
  EXPECT_THAT(outcome.err, HasSubstr("C1CC"));
  EXPECT_THAT(outcome.out, HasSubstr("molecules/s"));
  EXPECT_THAT(outcome.out, HasSubstr("passed conservative: same results"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("FAILED")));
}

TEST_F(DoctorTry, FailsWhereTheBudgetIsTooSmall) {
  const Outcome outcome = try_out({"--encoder", "ecfp", "--memory-budget", "20MiB"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("FAILED as usual"));
  EXPECT_THAT(outcome.out, HasSubstr("20"));
  EXPECT_THAT(outcome.err, HasSubstr("has failed"));
}

TEST_F(DoctorTry, FailsWhereAWeightIsWrong) {
  const std::string weights = place_.path("weights");
  const std::string source = place_.path("formula.safetensors");
  ASSERT_EQ(std::system((MOLGAUGE_WRITE_FORMULA_WEIGHTS " " + source).c_str()), 0);
  ASSERT_EQ(molgauge({"weights", "install", "minimol", "--from", source, "--weights", weights}).exit_code, 0);
  const std::string file = weights + "/minimol/minimol.safetensors";
  std::string bytes = read_file(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x40);
  replace_file(file, bytes);
  const Outcome outcome = try_out({"--encoder", "minimol", "--weights", weights, "--json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  EXPECT_THAT(checks_of(nlohmann::json::parse(outcome.out), false), testing::Contains("weights"));
}

TEST_F(DoctorTry, FailsWhereTheStoreIsSlow) {
  if (is_instrumented()) {
    GTEST_SKIP() << "a sanitizer has to be loaded first";
  }
  CommandOptions slow;
  slow.environment = {{"LD_PRELOAD", MOLGAUGE_SLOW_DISK}};
  const Outcome outcome = try_out({"--encoder", "ecfp", "--json"}, slow);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_EQ(checks_of(nlohmann::json::parse(outcome.out), false), nlohmann::json({"store"}));
}

TEST_F(DoctorTry, OptionsOfTheTrialNeedIt) {
  EXPECT_EQ(molgauge({"doctor", "--json"}).exit_code, 2);
  EXPECT_EQ(molgauge({"doctor", "--encoder", "ecfp"}).exit_code, 2);
}

}  // namespace
}  // namespace molgauge::test
