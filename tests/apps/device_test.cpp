#include <filesystem>

#include <gmock/gmock.h>

#include "workplace.h"

/// Runs every verb that computes, with a --device option for a GPU that does not exist.
namespace molgauge::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A GPU number that no machine has.
const std::vector<std::string> kAbsentGpu = {"--device", "cuda:99"};

class AbsentGpu : public testing::Test {
 protected:
  void expect_refused(const Outcome& outcome) {
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("--device cuda:99"), HasSubstr("--device cpu")));
  }
  Workplace place_;
};

TEST_F(AbsentGpu, IsSaidByEveryVerb) {
  const std::string molecules = place_.nci_molecules(200), benchmark = place_.path("benchmark.json");
  ASSERT_EQ(place_.split(molecules, benchmark).exit_code, 0);
  ASSERT_EQ(place_.train(benchmark, place_.path("run"), {"--epochs", "1"}).exit_code, 0);
  expect_refused(place_.train(benchmark, place_.path("other"), kAbsentGpu));
  EXPECT_FALSE(std::filesystem::exists(place_.path("other"))) << "nothing is left behind";
  expect_refused(place_.evaluate(place_.path("run"), kAbsentGpu));
  expect_refused(place_.score(place_.path("run"), molecules, kAbsentGpu));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"encode", molecules},
        std::vector<std::string>{"baseline", benchmark, "--run", place_.path("baselines")}}) {
    std::vector<std::string> command = words;
    command.insert(command.end(), kAbsentGpu.begin(), kAbsentGpu.end());
    expect_refused(molgauge(command));
  }
}

TEST_F(AbsentGpu, SettingsOfItsAllocatorHaveNoEffectOnTheCpu) {
  const std::string molecules = place_.nci_molecules(20);
  const Outcome outcome =
      place_.encode(molecules, {"--device", "cpu", "--cuda-allocator", "expandable_segments:True"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("--cuda-allocator has no effect on the CPU"));
}

}  // namespace
}  // namespace molgauge::test
