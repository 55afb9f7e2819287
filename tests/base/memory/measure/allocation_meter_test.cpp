#include "base/memory/measure/allocation_meter.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace molgauge::memory {
namespace {

class Listener : public AllocationObserver {
 public:
  void allocated(std::uintptr_t address, std::uint64_t bytes) override {
    living.emplace_back(address, bytes);
  }
  void freed(std::uintptr_t, std::uint64_t) override { living.pop_back(); }
  void refused(std::uint64_t bytes) override { refusals.push_back(bytes); }

  std::vector<std::pair<std::uintptr_t, std::uint64_t>> living;
  std::vector<std::uint64_t> refusals;
};

TEST(AllocationMeter, KeepsThePeakUntilItIsReset) {
  AllocationMeter meter;
  ASSERT_TRUE(meter.admit(100));
  ASSERT_TRUE(meter.admit(50));
  meter.freed(1, 100);
  EXPECT_EQ(meter.allocated_bytes(), 50U);
  EXPECT_EQ(meter.peak_bytes(), 150U);
  meter.reset_peak();
  EXPECT_EQ(meter.peak_bytes(), 50U);
  EXPECT_EQ(meter.allocations(), 2U);
}

TEST(AllocationMeter, CountsForAnAllocatorThatAsksNobody) {
  AllocationMeter meter;
  Listener listener;
  meter.observe(&listener);
  meter.set_limit(10);
  meter.count(1, 100);
  meter.count_refusal(70);
  EXPECT_EQ(meter.allocated_bytes(), 100U);
  EXPECT_EQ(meter.peak_bytes(), 100U);
  EXPECT_EQ(meter.refusals(), 1U);
  EXPECT_EQ(meter.last_refusal().bytes, 70U);
  EXPECT_EQ(meter.last_refusal().allocated, 100U);
  meter.freed(1, 100);
  EXPECT_EQ(meter.allocated_bytes(), 0U);
  EXPECT_EQ(meter.peak_bytes(), 100U);
  EXPECT_TRUE(listener.living.empty());
  EXPECT_EQ(listener.refusals, std::vector<std::uint64_t>{70});
}

TEST(AllocationMeter, RefusesWhatExceedsTheLimitAndCountsNothing) {
  AllocationMeter meter;
  const AllocationLimit limit(meter, 100);
  EXPECT_TRUE(meter.admit(100));
  EXPECT_FALSE(meter.admit(1));
  EXPECT_EQ(meter.allocated_bytes(), 100U);
  EXPECT_EQ(meter.peak_bytes(), 100U);
  EXPECT_EQ(meter.refusals(), 1U);
  meter.freed(1, 100);
  EXPECT_TRUE(meter.admit(1));
}

TEST(AllocationMeter, LimitEndsWithItsScope) {
  AllocationMeter meter;
  { const AllocationLimit limit(meter, 10); }
  EXPECT_TRUE(meter.admit(11));
}

TEST(AllocationMeter, RefusesTheNthOnce) {
  AllocationMeter meter;
  meter.refuse_from_now(3);
  std::vector<bool> admitted;
  for (int i = 0; i < 5; ++i) {
    admitted.push_back(meter.admit(1));
  }
  EXPECT_EQ(admitted, (std::vector<bool>{true, true, false, true, true}));
}

TEST(AllocationMeter, TellsItsObserver) {
  AllocationMeter meter;
  Listener listener;
  meter.observe(&listener);
  ASSERT_TRUE(meter.admit(8));
  meter.placed(64, 8);
  EXPECT_EQ(listener.living, (std::vector<std::pair<std::uintptr_t, std::uint64_t>>{{64, 8}}));
  meter.set_limit(8);
  EXPECT_FALSE(meter.admit(9));
  EXPECT_EQ(listener.refusals, std::vector<std::uint64_t>{9});
  meter.freed(64, 8);
  EXPECT_TRUE(listener.living.empty());
}

TEST(AllocationMeter, LosesNothingAmongThreads) {
  AllocationMeter meter;
  meter.set_limit(64);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; ++i) {
        if (meter.admit(24)) {
          meter.freed(1, 24);
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(meter.allocated_bytes(), 0U);
  EXPECT_LE(meter.peak_bytes(), 64U);
  EXPECT_EQ(meter.allocations(), 40000U);
}

}  // namespace
}  // namespace molgauge::memory
