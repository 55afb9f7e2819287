#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "molgauge/session.h"

namespace molgauge::serve {

/// A piece of work for the engine.
class Work {
 public:
  enum class Outcome { done, more };
  /// A function that the worker calls until it returns `done`. Other work may run between two calls. Must not
  /// throw.
  using Run = std::function<Outcome()>;
  /// A function that is called, from any thread, if the work is removed from the queue before it has ended.
  using Dropped = std::function<void()>;

  /// `cost`: cost of small work. Work with less cost runs first (server/list_cost.h).
  Work(Run run, Dropped dropped, std::size_t cost = 0)
      : run_(std::move(run)), dropped_(std::move(dropped)), cost_(cost) {}

  /// Whether the work must end because of cancel() or its time limit.
  bool is_cancelled() const { return cancelled_; }
  bool is_out_of_time() const { return out_of_time_; }
  /// Whether the running call of this work must stop because the server is ending.
  bool is_ending() const { return ending_; }
  /// Whether the running call of this work must stop because small work waits. The call then returns `more`,
  /// and the work continues in its next turn.
  bool is_to_yield() const { return yields_ && !cancelled_ && !ending_; }

  /// Whether a call of this long work may be interrupted and repeated, because finished parts are kept. Set
  /// it before the work is added.
  bool can_yield = false;

 private:
  friend class WorkQueue;
  Run run_;
  Dropped dropped_;
  std::size_t cost_;
  std::atomic<bool> cancelled_ = false, out_of_time_ = false, ending_ = false, yields_ = false;
  bool has_begun_ = false;
  std::chrono::duration<double> used_{0};
  /// The duration of a turn before it yields. It doubles with every turn. Otherwise, work with a long
  /// indivisible last step would never finish.
  std::chrono::duration<double> turn_{2};
  std::chrono::steady_clock::time_point added_ = std::chrono::steady_clock::now();
};

/// One thread that calls the engine. It does one piece of work at a time, with all threads and the whole
/// budget.
///
/// Small work runs before long work, in the order of its cost. Small work that has waited for a second runs
/// before all other work. Long work runs in turns. A turn is interrupted if small work waits and the long
/// work can continue later. If small work ended less than a second ago, long work pauses after a turn. The
/// pause is as long as the turn was, but at most two seconds. As a result, most short requests do not wait
/// for a turn. Long work gets at least a quarter of the time, even if small work is always waiting.
///
/// Thread safety: every method may be called from any thread.
class WorkQueue {
 public:
  struct Counts {
    std::size_t running = 0, waiting = 0, limit = 0;  ///< limit: maximum waiting work of each Length
  };
  /// `session`: the session of the engine. It is asked to stop if running work must end.
  WorkQueue(Session& session, std::size_t max_waiting, double max_seconds);
  /// Calls close().
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  enum class Length { small, large };
  /// Adds work. Returns false if the maximum amount of work of this Length is waiting, or if close() was
  /// called. `is_known`: true for the work of an earlier process, which is accepted beyond the maximum.
  bool add(const std::shared_ptr<Work>& work, Length length, bool is_known = false);
  /// Cancels the work. It ends soon, or never begins.
  void cancel(const std::shared_ptr<Work>& work);
  /// Removes all waiting work. Then waits until the running call has ended. If this takes longer than
  /// `patience`, interrupts the call. The time limit of the work still applies.
  void close(std::chrono::duration<double> patience = std::chrono::seconds(30));

  Counts counts() const;

 private:
  void work();
  void watch();
  /// Checks the running work, if any. The watcher calls it.
  void watch_running();
  using Clock = std::chrono::steady_clock;
  /// The time from which waiting long work may run if no small work waits.
  Clock::time_point end_of_rest() const;
  /// Waits until work may run. Returns false if the queue was closed.
  bool wait_for_work(std::unique_lock<std::mutex>& lock);
  /// Removes the next work from the queue and returns it. The queue must not be empty.
  std::shared_ptr<Work> next();
  /// Records how long the work that next() returned has run.
  void count(std::chrono::duration<double> time);

  Session& session_;
  const std::size_t max_waiting_;
  const double max_seconds_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, ended_;
  std::deque<std::shared_ptr<Work>> small_, large_;
  std::shared_ptr<Work> running_;
  std::chrono::steady_clock::time_point begun_;
  bool closed_ = false, has_ended_ = false, runs_large_ = false;
  std::chrono::steady_clock::time_point interrupt_at_ = std::chrono::steady_clock::time_point::max();
  std::chrono::duration<double> last_large_{0};      ///< duration of the last turn of long work
  std::chrono::duration<double> time_of_small_{0};   ///< time of small work since long work last ended
  Clock::time_point large_ended_{}, small_ended_{};  ///< last end of long work and of small work
  std::thread worker_, watcher_;
};

}  // namespace molgauge::serve
