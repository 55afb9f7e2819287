#include "base/core/threads/worker_group.h"

#include <atomic>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/threads/bounded_queue.h"
#include "support/no_more_threads.h"

namespace molgauge {
namespace {

TEST(WorkerGroup, RunsEveryWork) {
  std::atomic<int> sum{0};
  WorkerGroup group;
  for (int i = 1; i <= 4; ++i) {
    group.start([&sum, i] { sum += i; });
  }
  group.join();
  EXPECT_EQ(sum, 10);
}

TEST(WorkerGroup, CarriesTheFailureToTheJoiner) {
  WorkerGroup group;
  group.start([] { throw std::runtime_error("stage two"); });
  group.start([] {});
  try {
    group.join();
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "stage two");
  }
  group.join();  // the failure has already been reported
}

TEST(WorkerGroup, TellsTheOthersOnceSoThatTheyEnd) {
  BoundedQueue<int> queue(1);
  std::atomic<int> told{0};
  WorkerGroup group([&] {
    ++told;
    queue.abandon();
  });
  group.start([&] { EXPECT_EQ(queue.pop(), std::nullopt); });
  group.start([] { throw std::runtime_error("first"); });
  group.start([] { throw std::runtime_error("second"); });
  EXPECT_THROW(group.join(), std::runtime_error);
  EXPECT_EQ(told, 1);
}

TEST(WorkerGroup, DropsAFailureThatNobodyAskedFor) {
  WorkerGroup group;
  group.start([] { throw std::runtime_error("unseen"); });
}

TEST(ParallelFor, CallsEveryNumberOnce) {
  for (const std::size_t threads : {1, 3, 200}) {
    std::vector<std::atomic<int>> calls(100);
    parallel_for(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
    for (const auto& count : calls) {
      EXPECT_EQ(count, 1);
    }
  }
  parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, ThrowsTheFirstFailureAndStops) {
  std::atomic<std::size_t> calls{0};
  const auto fail_early = [&](std::size_t i) {
    ++calls;
    if (i == 3) {
      throw std::runtime_error("3");
    }
  };
  EXPECT_THROW(parallel_for(100, 1, fail_early), std::runtime_error);
  EXPECT_EQ(calls, 4U);
}

TEST(AvailableProcessors, IsAtLeastOne) { EXPECT_GE(available_processors(), 1U); }

TEST(WorkerGroup, SaysThatThereAreNoMoreThreads) {
  WorkerGroup group;
  const test::NoMoreThreads none;
  try {
    group.start([] {});
    FAIL();
  } catch (const Error& refused) {
    EXPECT_THAT(refused.what(), testing::HasSubstr("--threads"));
  }
}

}  // namespace
}  // namespace molgauge
