#include "base/core/threads/bounded_queue.h"

#include <atomic>
#include <deque>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(BoundedQueue, HandsOutInOrder) {
  BoundedQueue<std::unique_ptr<int>> queue(2);
  EXPECT_TRUE(queue.push(std::make_unique<int>(1)));
  EXPECT_TRUE(queue.push(std::make_unique<int>(2)));
  EXPECT_EQ(**queue.pop(), 1);
  EXPECT_EQ(**queue.pop(), 2);
}

TEST(BoundedQueue, ClosedHandsOutWhatItHoldsAndTakesNothing) {
  BoundedQueue<int> queue(4);
  queue.push(1);
  queue.close();
  EXPECT_FALSE(queue.push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, AbandonedHandsOutNothing) {
  BoundedQueue<int> queue(4);
  queue.push(1);
  queue.abandon();
  EXPECT_FALSE(queue.push(2));
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, TakesAllThereAreAtOnceAndMakesRoom) {
  BoundedQueue<int> queue(2);
  queue.push(1);
  queue.push(2);
  EXPECT_EQ(queue.pop_all(), (std::deque<int>{1, 2}));
  EXPECT_TRUE(queue.push(3));
  queue.close();
  EXPECT_EQ(queue.pop_all(), std::deque<int>{3});
  EXPECT_TRUE(queue.pop_all().empty());
}

TEST(BoundedQueue, MakesTheProducerWait) {
  BoundedQueue<int> queue(3);
  std::atomic<int> pushed{0};
  std::thread producer([&] {
    for (int i = 0; i < 10; ++i) {
      queue.push(i);
      ++pushed;
    }
    queue.close();
  });
  for (int expected = 0; expected < 10; ++expected) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_LE(pushed, expected + 3);
    EXPECT_EQ(queue.pop(), expected);
  }
  producer.join();
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, AbandonWakesWhoeverWaits) {
  BoundedQueue<int> full(1), empty(1);
  full.push(0);
  std::thread producer([&] { EXPECT_FALSE(full.push(1)); });
  std::thread consumer([&] { EXPECT_EQ(empty.pop(), std::nullopt); });
  full.abandon();
  empty.abandon();
  producer.join();
  consumer.join();
}

TEST(BoundedQueue, LosesNothingAmongManyThreads) {
  constexpr int kThreads = 4, kItems = 2000;
  BoundedQueue<int> queue(7);
  std::atomic<long> sum{0};
  std::vector<std::thread> producers, consumers;
  for (int thread = 0; thread < kThreads; ++thread) {
    producers.emplace_back([&, thread] {
      for (int i = thread; i < kItems; i += kThreads) {
        queue.push(i);
      }
    });
    consumers.emplace_back([&] {
      while (const auto item = queue.pop()) {
        sum += *item;
      }
    });
  }
  for (auto& producer : producers) {
    producer.join();
  }
  queue.close();
  for (auto& consumer : consumers) {
    consumer.join();
  }
  EXPECT_EQ(sum, kItems * (kItems - 1L) / 2);
}

}  // namespace
}  // namespace molgauge
