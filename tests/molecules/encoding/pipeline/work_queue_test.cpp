#include "molecules/encoding/pipeline/work_queue.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace molgauge::pipeline {
namespace {

Chunk chunk(std::size_t begin) { return {nullptr, begin, begin + 1}; }

std::vector<Batch> one_batch(std::size_t molecules) {
  std::vector<Batch> batches(1);
  batches[0].resize(molecules);
  return batches;
}

bool is_chunk(const std::optional<WorkQueue::Work>& work) {
  return work.has_value() && std::holds_alternative<Chunk>(*work);
}
bool is_batch(const std::optional<WorkQueue::Work>& work) {
  return work.has_value() && std::holds_alternative<Batch>(*work);
}

TEST(WorkQueue, BatchesGoFirst) {
  WorkQueue queue(4);
  queue.push(chunk(0));
  queue.push(chunk(1));
  ASSERT_TRUE(is_chunk(queue.next()));
  queue.finish_chunk(one_batch(3));
  EXPECT_TRUE(is_batch(queue.next()));
  EXPECT_TRUE(is_chunk(queue.next()));
}

TEST(WorkQueue, IsDoneOnlyWhenNoChunkIsInWork) {
  WorkQueue queue(4);
  queue.push(chunk(0));
  queue.close();
  ASSERT_TRUE(is_chunk(queue.next()));
  std::atomic<bool> got_batch{false}, ended{false};
  std::thread other([&] {
    got_batch = is_batch(queue.next());
    ended = !queue.next().has_value();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(got_batch);
  queue.finish_chunk(one_batch(1));
  other.join();
  EXPECT_TRUE(got_batch);
  EXPECT_TRUE(ended);
}

TEST(WorkQueue, MakesTheInputWaitForRoom) {
  WorkQueue queue(2);
  std::atomic<std::size_t> pushed{0};
  std::thread input([&] {
    for (std::size_t i = 0; i < 20; ++i) {
      queue.push(chunk(i));
      ++pushed;
    }
    queue.close();
  });
  for (std::size_t taken = 0; taken < 20; ++taken) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_LE(pushed, taken + 2);
    ASSERT_TRUE(is_chunk(queue.next()));
    queue.finish_chunk({});
  }
  input.join();
  EXPECT_FALSE(queue.next().has_value());
}

TEST(WorkQueue, AbandonEndsEverybody) {
  WorkQueue queue(1);
  queue.push(chunk(0));
  std::atomic<bool> refused{false};
  std::thread input([&] { refused = !queue.push(chunk(1)); });
  queue.abandon();
  input.join();
  EXPECT_TRUE(refused);
  EXPECT_FALSE(queue.next().has_value());
}

TEST(WorkQueue, TakesNothingFromWorkThatEndsAfterAbandon) {
  WorkQueue queue(1);
  queue.push(chunk(0));
  ASSERT_TRUE(is_chunk(queue.next()));
  queue.abandon();
  queue.finish_chunk(one_batch(1));
  EXPECT_FALSE(queue.next().has_value());
}

}  // namespace
}  // namespace molgauge::pipeline
