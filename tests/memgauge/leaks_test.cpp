// Tests how leaks are found. A leak is memory that every iteration allocates and no iteration frees.

#include "memgauge/explain/leaks.h"

#include <gmock/gmock.h>

#include "memgauge/explain/explanation.h"
#include "memgauge/recordings/event_log.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kIterations = 12;

StackSummary in_backward() {
  StackSummary stack;
  stack.in_backward = true;
  return stack;
}

StackSummary in_optimizer() {
  StackSummary stack;
  stack.in_optimizer = true;
  return stack;
}

/// A training loop. Each iteration for which `keeps(iteration)` is true keeps 5 MiB. If `frees` is true, the
/// loop frees all kept memory at its end.
Recording training_loop(const std::function<bool(std::size_t)>& keeps, bool frees = false) {
  EventLog log;
  const std::uint32_t forward = log.origin("forward (model.py:10)", {}),
                      history = log.origin("train (train.py:5)", {}),
                      backward = log.origin("MmBackward0", in_backward()),
                      step = log.origin("step (adamw.py:220)", in_optimizer());
  std::vector<std::uint64_t> kept;
  std::uint64_t next = 1;
  for (std::size_t iteration = 0; iteration < kIterations; ++iteration) {
    const std::uint64_t activation = next++, gradient = next++, scratch = next++;
    log.allocate(activation, 50 * kMebibyte, 0, forward);
    if (keeps(iteration)) {
      kept.push_back(next);
      log.allocate(next++, 5 * kMebibyte, 0, history);
    }
    log.allocate(gradient, 20 * kMebibyte, 0, backward);
    log.free(activation, 50 * kMebibyte, 0);
    log.allocate(scratch, kMebibyte, 0, step);
    log.free(scratch, kMebibyte, 0);
    log.free(gradient, 20 * kMebibyte, 0);
  }
  for (const std::uint64_t address : kept) {
    if (frees) {
      log.free(address, 5 * kMebibyte, 0);
    }
  }
  return log.finish();
}

std::vector<MemoryLeak> leaks_in(const Recording& recording) {
  return explain(recording, {}).explanation.leaks;
}

TEST(Leaks, AreWhatEveryIterationKeepsWithItsSlope) {
  const auto explanation = explain(training_loop([](std::size_t) { return true; }), {}).explanation;
  ASSERT_EQ(explanation.leaks.size(), 1U);
  EXPECT_EQ(explanation.leaks.front().origin, "train (train.py:5)");
  EXPECT_EQ(explanation.leaks.front().bytes_per_iteration, 5 * kMebibyte);
  EXPECT_GE(explanation.leaks.front().iterations, kIterations - 1);
  EXPECT_THAT(explanation.text, testing::HasSubstr("5.00 MiB an iteration"));
}

TEST(Leaks, AreNotWhatTheFirstIterationsKeep) {
  EXPECT_TRUE(leaks_in(training_loop([](std::size_t iteration) { return iteration == 0; })).empty());
  EXPECT_TRUE(leaks_in(training_loop([](std::size_t iteration) { return iteration < 4; })).empty());
}

TEST(Leaks, AreNotWhatIsFreedLater) {
  EXPECT_TRUE(leaks_in(training_loop([](std::size_t) { return true; }, true)).empty());
}

/// The layers of one forward pass allocate from the same stacks repeatedly, and keep the memory that the
/// backward pass needs.
TEST(Leaks, AreNotTheActivationsOfRepeatedLayers) {
  EventLog log;
  const std::uint32_t kept = log.origin("softmax (model.py:6)", {}),
                      passing = log.origin("forward (model.py:39)", {}),
                      backward = log.origin("DivBackward0", in_backward());
  constexpr std::uint64_t kLayers = 24;
  for (std::uint64_t layer = 1; layer <= kLayers; ++layer) {
    log.allocate(layer, 10 * kMebibyte, 0, kept);
    for (std::uint64_t part = 0; part < 4; ++part) {
      log.allocate(1000, 10 * kMebibyte, 0, passing);
      log.free(1000, 10 * kMebibyte, 0);
    }
  }
  for (std::uint64_t layer = kLayers; layer > 0; --layer) {
    log.allocate(1000, 10 * kMebibyte, 0, backward);
    log.free(layer, 10 * kMebibyte, 0);
    log.free(1000, 10 * kMebibyte, 0);
  }
  const Recording recording = log.finish();
  EXPECT_TRUE(leaks_in(recording).empty());
  ExplainMemoryRequest small_card;
  small_card.capacity_bytes = 200 * kMebibyte;
  const auto explanation = explain(recording, small_card).explanation;
  EXPECT_EQ(explanation.cause, MemoryCause::batch_too_large) << explanation.text;
  EXPECT_TRUE(explanation.leaks.empty());
}

}  // namespace
}  // namespace molgauge::allocator
