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

#include "headroom/session.h"

namespace headroom::serve {

/// A piece of work for the engine.
class Work {
 public:
  enum class Outcome { done, more };
  /// Called by the worker until it returns `done`; between two calls other work may be done. Must not throw.
  using Run = std::function<Outcome()>;
  /// Called instead, from any thread, where the work was taken out of the queue before it began.
  using Dropped = std::function<void()>;

  Work(Run run, Dropped dropped) : run_(std::move(run)), dropped_(std::move(dropped)) {}

  /// Whether it was asked to end: by cancel(), by its limit of time, or at the end of the server.
  bool is_cancelled() const { return cancelled_; }
  bool is_out_of_time() const { return out_of_time_; }

 private:
  friend class WorkQueue;
  Run run_;
  Dropped dropped_;
  std::atomic<bool> cancelled_ = false, out_of_time_ = false;
  bool has_begun_ = false;
  std::chrono::duration<double> used_{0};
};

/// One thread that calls the engine: small work first, long work in turns, which has a quarter of the time
/// however much small work comes. The engine does one thing at a time, with all of its threads and all of its
/// budget.
///
/// Thread safety: every method may be called from any thread.
class WorkQueue {
 public:
  struct Counts {
    std::size_t running = 0, waiting = 0, limit = 0;  ///< limit: of each length
  };
  /// `session` is asked to stop where the work that runs is to end.
  WorkQueue(Session& session, std::size_t most_waiting, double most_seconds);
  /// As close().
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  enum class Length { small, large };
  /// False: so much of this length is waiting that no more is taken, or close() was called. `is_known`: work
  /// of an earlier process, for which there is always room.
  bool add(const std::shared_ptr<Work>& work, Length length, bool is_known = false);
  /// The work ends soon, or never begins.
  void cancel(const std::shared_ptr<Work>& work);
  /// Ends the waiting work, lets the work that runs come to its end, or to the end of its part, and returns.
  void close();

  Counts counts() const;

 private:
  void work();
  void watch();
  /// The work whose turn it is; there is some.
  std::shared_ptr<Work> next();
  /// Counts the time of the work that next() gave.
  void count(std::chrono::duration<double> time);

  Session& session_;
  const std::size_t most_waiting_;
  const double most_seconds_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, ended_;
  std::deque<std::shared_ptr<Work>> small_, large_;
  std::shared_ptr<Work> running_;
  std::chrono::steady_clock::time_point begun_;
  bool closed_ = false, runs_large_ = false;
  std::chrono::duration<double> last_large_{0};     ///< what the last part of long work took
  std::chrono::duration<double> time_of_small_{0};  ///< what small work took since then
  std::thread worker_, watcher_;
};

}  // namespace headroom::serve
