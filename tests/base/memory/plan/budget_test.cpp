#include "base/memory/plan/budget.h"

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/memory/measure/host_memory.h"

namespace molgauge::memory {
namespace {

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

TEST(Budget, ReadsSizesAndShares) {
  EXPECT_EQ(parse_budget("--memory-budget", "20GiB", 0), 20 * kGibibyte);
  EXPECT_EQ(parse_budget("--memory-budget", "1048576", 0), std::uint64_t{1} << 20);
  EXPECT_EQ(parse_budget("--memory-budget", "50%", kGibibyte), kGibibyte / 2);
  EXPECT_EQ(parse_budget("--memory-budget", "100%", kGibibyte), kGibibyte);
}

TEST(Budget, LeavesALittleByDefault) {
  const std::uint64_t budget = parse_budget("--memory-budget", "", kGibibyte);
  EXPECT_LT(budget, kGibibyte);
  EXPECT_GT(budget, kGibibyte * 9 / 10);
}

TEST(Budget, RefusesWhatIsNoBudgetAndNamesTheOption) {
  for (const char* text : {"20GB", "lots", "-1GiB", "0", "0%", "101%", "-5%", "%", "5 0%", "nan%"}) {
    try {
      parse_budget("--memory-budget", text, kGibibyte);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("--memory-budget"), std::string::npos) << error.what();
    }
  }
}

TEST(Budget, WhatIsFreeHoldsWhatIsResident) { EXPECT_GT(free_for_this_process(), resident_bytes()); }

TEST(Budget, ToTypeIsNeverTooSmall) {
  EXPECT_EQ(budget_to_type((std::uint64_t{300} << 20) + 1), "301MiB");
  EXPECT_EQ(parse_bytes(budget_to_type(std::uint64_t{300} << 20)), std::uint64_t{300} << 20);
}

}  // namespace
}  // namespace molgauge::memory
