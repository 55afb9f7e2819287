#include "server/work_queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace molgauge::serve {
namespace {

using Length = WorkQueue::Length;

class Queue : public testing::Test {
 protected:
  std::shared_ptr<Work> work(std::function<Work::Outcome()> run) {
    return std::make_shared<Work>(std::move(run), [this] { ++dropped_; });
  }
  /// Work that occupies the queue until open() is called.
  std::shared_ptr<Work> gate() {
    return work([this] {
      begun_.set_value();
      open_.get_future().wait();
      return Work::Outcome::done;
    });
  }
  Session session_;
  std::promise<void> begun_, open_;
  std::atomic<int> dropped_ = 0;
};

TEST_F(Queue, DoesSmallWorkFirstAndLongWorkInTurns) {
  std::string order;
  WorkQueue queue(session_, 10, 60);
  ASSERT_TRUE(queue.add(gate(), Length::small));
  begun_.get_future().wait();
  std::promise<void> end;
  int parts_of_a = 0, parts_of_b = 0;
  queue.add(work([&] {
              order += 'a';
              return ++parts_of_a < 2 ? Work::Outcome::more : Work::Outcome::done;
            }),
            Length::large);
  queue.add(work([&] {
              order += 'b';
              if (++parts_of_b < 2) {
                return Work::Outcome::more;
              }
              end.set_value();
              return Work::Outcome::done;
            }),
            Length::large);
  queue.add(work([&] {
              order += 's';
              return Work::Outcome::done;
            }),
            Length::small);
  EXPECT_EQ(queue.counts().waiting, 3U);
  open_.set_value();
  end.get_future().wait();
  queue.close();
  EXPECT_EQ(order, "sabab");
}

TEST_F(Queue, LongWorkHasItsTurnHoweverMuchSmallWorkComes) {
  WorkQueue queue(session_, 1000, 60);
  std::promise<void> end;
  std::atomic<bool> is_done = false;
  const auto small = [&] {
    return work([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return Work::Outcome::done;
    });
  };
  for (int i = 0; i < 50; ++i) {
    queue.add(small(), Length::small);
  }
  int parts = 0;
  queue.add(work([&] {
              if (++parts < 2) {
                return Work::Outcome::more;
              }
              is_done = true;
              end.set_value();
              return Work::Outcome::done;
            }),
            Length::large);
  for (int i = 0; i < 2000 && !is_done; ++i) {
    queue.add(small(), Length::small);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  EXPECT_TRUE(is_done) << "small work arrived faster than it was done";
  queue.close();
}

TEST_F(Queue, TakesNoMoreThanItsLimitAndDropsWhatIsCancelled) {
  WorkQueue queue(session_, 2, 60);
  queue.add(gate(), Length::small);
  begun_.get_future().wait();
  const auto never = work([] {
    ADD_FAILURE() << "cancelled work has run";
    return Work::Outcome::done;
  });
  EXPECT_TRUE(queue.add(never, Length::large));
  EXPECT_TRUE(queue.add(work([] { return Work::Outcome::done; }), Length::large));
  EXPECT_FALSE(queue.add(work([] { return Work::Outcome::done; }), Length::large));
  // Waiting long work does not block short requests.
  EXPECT_TRUE(queue.add(work([] { return Work::Outcome::done; }), Length::small));
  EXPECT_TRUE(queue.add(work([] { return Work::Outcome::done; }), Length::small));
  EXPECT_FALSE(queue.add(work([] { return Work::Outcome::done; }), Length::small));
  EXPECT_TRUE(queue.add(work([] { return Work::Outcome::done; }), Length::large, /*is_known=*/true));
  queue.cancel(never);
  EXPECT_EQ(dropped_, 1);
  open_.set_value();
  queue.close();
  EXPECT_FALSE(queue.add(work([] { return Work::Outcome::done; }), Length::small));
}

TEST_F(Queue, WorkThatTakesTooLongIsCancelled) {
  WorkQueue queue(session_, 2, 0.05);
  std::promise<bool> cancelled;
  std::shared_ptr<Work> slow;
  std::promise<void> ready;
  slow = work([&] {
    ready.get_future().wait();
    while (!slow->is_cancelled()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    cancelled.set_value(slow->is_out_of_time());
    return Work::Outcome::done;
  });
  queue.add(slow, Length::large);
  ready.set_value();
  EXPECT_TRUE(cancelled.get_future().get());
}

TEST_F(Queue, CheapWorkGoesFirst) {
  std::string order;
  WorkQueue queue(session_, 10, 60);
  ASSERT_TRUE(queue.add(gate(), Length::small));
  begun_.get_future().wait();
  for (const auto& [name, cost] :
       {std::pair('c', 300), std::pair('a', 1), std::pair('b', 20), std::pair('d', 300)}) {
    queue.add(std::make_shared<Work>(
                  [&order, name = name] {
                    order += name;
                    return Work::Outcome::done;
                  },
                  [] {}, static_cast<std::size_t>(cost)),
              Length::small);
  }
  std::promise<void> end;
  queue.add(work([&] {
              end.set_value();
              return Work::Outcome::done;
            }),
            Length::large);
  open_.set_value();
  end.get_future().wait();
  queue.close();
  EXPECT_EQ(order, "abcd");
}

/// Long work that can be resumed is interrupted while small work waits. Each turn of the long work takes
/// twice as long as its previous turn.
TEST_F(Queue, LongWorkYieldsToSmallWork) {
  WorkQueue queue(session_, 10, 60);
  std::atomic<int> turns = 0;
  std::promise<void> end;
  std::shared_ptr<Work> large;
  large = work([&] {
    ++turns;
    const auto begun = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begun < std::chrono::seconds(3)) {
      if (large->is_to_yield()) {
        return Work::Outcome::more;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    end.set_value();
    return Work::Outcome::done;
  });
  large->can_yield = true;
  queue.add(large, Length::large);
  while (turns == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::promise<void> small_done;
  queue.add(work([&] {
              EXPECT_EQ(turns, 1);
              small_done.set_value();
              return Work::Outcome::done;
            }),
            Length::small);
  EXPECT_EQ(small_done.get_future().wait_for(std::chrono::seconds(3)), std::future_status::ready);
  end.get_future().wait();
  EXPECT_EQ(turns, 2);
  queue.close();
}

/// Small work arrives with pauses. The long work rests after each of its turns.
TEST_F(Queue, LongWorkRestsWhileSmallWorkComes) {
  WorkQueue queue(session_, 10, 60);
  std::atomic<int> turns = 0;
  queue.add(work([&] {
              std::this_thread::sleep_for(std::chrono::milliseconds(500));
              return ++turns < 100 ? Work::Outcome::more : Work::Outcome::done;
            }),
            Length::large);
  std::vector<double> waits;
  for (int i = 0; i < 60; ++i) {
    const auto asked = std::chrono::steady_clock::now();
    std::promise<void> done;
    queue.add(work([&] {
                done.set_value();
                return Work::Outcome::done;
              }),
              Length::small);
    done.get_future().wait();
    waits.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
  }
  std::sort(waits.begin(), waits.end());
  EXPECT_LT(waits[waits.size() / 2], 0.2) << "a turn takes half a second";
  EXPECT_GE(turns, 1) << "long work continues";
  // Without small work, long work does not rest.
  const int before = turns;
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_GE(turns, before + 3);
  queue.close(std::chrono::milliseconds(100));
}

TEST_F(Queue, ClosingInterruptsWhatRunsAfterItsPatience) {
  WorkQueue queue(session_, 10, 60);
  std::shared_ptr<Work> endless;
  std::promise<void> begun;
  endless = work([&] {
    begun.set_value();
    while (!endless->is_ending()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_FALSE(endless->is_to_yield());
    return Work::Outcome::done;
  });
  queue.add(endless, Length::large);
  begun.get_future().wait();
  const auto closed = std::chrono::steady_clock::now();
  queue.close(std::chrono::milliseconds(200));
  EXPECT_LT(std::chrono::steady_clock::now() - closed, std::chrono::seconds(10));
}

}  // namespace
}  // namespace molgauge::serve
