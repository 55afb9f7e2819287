#pragma once

#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headroom {

/// Threads that belong together: the first exception of any of them is carried to the thread that joins, and
/// every other thread is told through `on_failure` (which closes queues, say).
class WorkerGroup {
 public:
  /// `on_failure` runs once, in the failing thread, before anything else is done about the failure.
  explicit WorkerGroup(std::function<void()> on_failure = {});
  /// Joins; a failure that was not asked for is dropped.
  ~WorkerGroup();
  WorkerGroup(const WorkerGroup&) = delete;
  WorkerGroup& operator=(const WorkerGroup&) = delete;

  /// Throws Error when the system has no thread to give.
  void start(std::function<void()> work);
  /// Waits for all threads, then throws the first exception there was.
  void join();

 private:
  void run(const std::function<void()>& work);

  std::function<void()> on_failure_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

/// Calls work(i) for i in [0, count) on up to `threads` threads, on the calling one where they would be one;
/// the first exception comes out of this call.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

/// What `--threads 0` means: the processors this process may run on.
std::size_t available_processors();

}  // namespace headroom
