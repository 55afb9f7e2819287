#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace headroom::serve {

/// A thread that does one task after another, for work that must not hold up connections: files, and
/// drawings.
///
/// Thread safety: every method may be called from any thread.
class Lane {
 public:
  /// `max_waiting`: tasks that may wait.
  explicit Lane(std::size_t max_waiting);
  /// As close().
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// False if as many tasks wait as may, or if the lane is closed. A task must not throw.
  bool add(std::function<void()> task);
  /// Waits for the end of the tasks that were added. Takes no more tasks.
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

}  // namespace headroom::serve
