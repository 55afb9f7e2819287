#include "base/memory/measure/resident_guard.h"

#include <gtest/gtest.h>

namespace molgauge::memory {
namespace {

/// A process whose resident memory is set by the test.
struct FakeProcess {
  std::uint64_t resident = 0, kept = 0;
  int looks = 0;

  ResidentGuard guard(AllocationMeter& meter, std::uint64_t budget, std::uint64_t reserve) {
    return ResidentGuard(
        meter, budget, reserve, [this] { resident -= std::exchange(kept, 0); },
        [this] {
          ++looks;
          return resident;
        });
  }
};

TEST(ResidentGuard, RefusesWhatWouldExceedTheBudget) {
  FakeProcess process{.resident = 600};
  AllocationMeter meter;
  ResidentGuard guard = process.guard(meter, 1000, 100);
  meter.guard(&guard);
  EXPECT_TRUE(meter.admit(300));
  process.resident = 900;
  EXPECT_FALSE(meter.admit(1));
  EXPECT_EQ(meter.refusals(), 1U);
  EXPECT_EQ(meter.limit(), 300U) << "the limit equals the remaining memory";
}

TEST(ResidentGuard, CountsWhatLibrariesTake) {
  FakeProcess process{.resident = 100};
  AllocationMeter meter;
  ResidentGuard guard = process.guard(meter, 1000, 0);
  meter.guard(&guard);
  EXPECT_TRUE(meter.admit(500));
  process.resident = 850;  // this includes 250 bytes outside of tensors
  EXPECT_FALSE(meter.admit(450)) << "850 are resident: 450 more do not fit, whatever tensors take";
  EXPECT_TRUE(meter.admit(100));
}

TEST(ResidentGuard, TakesBackWhatIsFreeBeforeItRefuses) {
  FakeProcess process{.resident = 950, .kept = 400};
  AllocationMeter meter;
  ResidentGuard guard = process.guard(meter, 1000, 0);
  meter.guard(&guard);
  EXPECT_TRUE(meter.admit(200));
  EXPECT_EQ(process.resident, 550U);
  EXPECT_EQ(meter.refusals(), 0U);
}

TEST(ResidentGuard, DoesNotLookWhileTheBudgetIsFar) {
  FakeProcess process{.resident = 10};
  AllocationMeter meter;
  ResidentGuard guard = process.guard(meter, 1'000'000, 0);
  meter.guard(&guard);
  const int before = process.looks;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(meter.admit(500));
    meter.freed(0, 500);
  }
  EXPECT_EQ(process.looks, before);
  ASSERT_TRUE(meter.admit(600'000));
  EXPECT_EQ(process.looks, before + 1) << "a million bytes have been asked for since the last look";
}

TEST(ResidentGuard, ABudgetBelowWhatIsTakenLeavesNothing) {
  FakeProcess process{.resident = 600};
  AllocationMeter meter;
  ResidentGuard guard = process.guard(meter, 500, 100);
  meter.guard(&guard);
  EXPECT_EQ(guard.look(), 0U);
  EXPECT_FALSE(meter.admit(1));
}

}  // namespace
}  // namespace molgauge::memory
