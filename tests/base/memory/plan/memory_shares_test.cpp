#include "base/memory/plan/memory_shares.h"

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace molgauge::memory {
namespace {

using Share = MemoryShares::Share;

TEST(MemoryShares, CountWhatIsUsedTogetherOnce) {
  MemoryShares shares(100);
  std::optional<Share> one, other;
  one.emplace(shares, ShareSize{.own = 10, .common = "features", .shared = 60});
  other.emplace(shares, ShareSize{.own = 30, .common = "features", .shared = 60});
  EXPECT_EQ(shares.taken(), 100U);
  one.reset();
  EXPECT_EQ(shares.taken(), 90U);
  other.reset();
  EXPECT_EQ(shares.taken(), 0U);
}

TEST(MemoryShares, LetAPieceThatDoesNotFitGoByItself) {
  MemoryShares shares(100);
  const Share share(shares, {.own = 1000});
  EXPECT_EQ(shares.taken(), 1000U);
}

TEST(MemoryShares, NeverHandOutMoreThanThereIs) {
  MemoryShares shares(100);
  std::atomic<std::uint64_t> highest = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (std::uint64_t round = 0; round < 50; ++round) {
        const Share share(
            shares,
            {.own = 10 + (7 * i + 13 * round) % 60, .common = i % 2 == 0 ? "even" : "odd", .shared = 20});
        const std::uint64_t taken = shares.taken();
        std::uint64_t former = highest;
        while (taken > former && !highest.compare_exchange_weak(former, taken)) {
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_LE(highest, 100U);
  EXPECT_EQ(shares.taken(), 0U);
}

/// If small pieces could always pass a large piece, the large piece would wait for ever.
TEST(MemoryShares, ServeInTurn) {
  MemoryShares shares(100);
  std::optional<Share> first;
  first.emplace(shares, ShareSize{.own = 60});
  std::atomic<int> order = 0;
  int large_came = 0, small_came = 0;
  std::thread large([&] {
    const Share share(shares, {.own = 90});
    large_came = ++order;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::thread small([&] {
    const Share share(shares, {.own = 20});
    small_came = ++order;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(order, 0) << "somebody went before its turn";
  first.reset();
  large.join();
  small.join();
  EXPECT_EQ(large_came, 1);
  EXPECT_EQ(small_came, 2);
}

}  // namespace
}  // namespace molgauge::memory
