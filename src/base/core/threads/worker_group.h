#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace molgauge {

/// A group of threads. If a thread throws, the first exception is rethrown in the thread that joins.
/// `on_failure` makes the other threads end, for example by closing queues.
class WorkerGroup {
 public:
  /// `on_failure` runs once, in the first thread that fails, directly after the failure.
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

/// Calls work(i) for each i in [0, count), on up to `threads` threads. If `threads` is one, all calls run on
/// the calling thread. If calls throw, rethrows the first exception.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

/// Returns the number of processors on which this process may run. The option `--threads 0` starts this many
/// threads.
std::size_t available_processors();

}  // namespace molgauge
