#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace molgauge::serve {

/// A thread that runs tasks one after another, for work that must not delay connections: files and drawings.
///
/// Thread safety: every method may be called from any thread.
class Lane {
 public:
  /// `max_waiting`: maximum number of waiting tasks.
  explicit Lane(std::size_t max_waiting);
  /// Calls close().
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Returns false if the maximum number of tasks is waiting or the lane is closed. A task must not throw.
  bool add(std::function<void()> task);
  /// Accepts no more tasks, and waits until the accepted tasks have finished.
  void close();

 private:
  void work();

  const std::size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace molgauge::serve
