#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headroom {

/// A group of threads. If a thread throws, the first exception is rethrown in the thread that joins.
/// `on_failure` makes the other threads end, for example by closing queues.
class WorkerGroup {
 public:
  /// `on_failure` runs once, in the failing thread, before anything else happens.
  explicit WorkerGroup(std::function<void()> on_failure = {});
  /// Joins the threads. Drops a failure that join() did not report.
  ~WorkerGroup();
  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

  /// Throws Error when the system cannot start another thread.
  void start(std::function<void()> work);
  /// Waits for all threads, then throws the first exception, if any.
  void join();

 private:
  void run(const std::function<void()>& work);

  std::function<void()> on_failure_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

/// Calls work(i) for i in [0, count) on up to `threads` threads, on the calling thread if `threads` is one.
/// Throws the first exception of any call.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

/// The value of `--threads 0`: the processors that this process may run on.
std::size_t available_processors();

}  // namespace headroom
