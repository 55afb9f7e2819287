#include "base/core/threads/worker_group.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <utility>

#include <sched.h>

#include "base/core/error.h"

namespace molgauge {

WorkerGroup::WorkerGroup(std::function<void()> on_failure) : on_failure_(std::move(on_failure)) {}

WorkerGroup::~WorkerGroup() {
  for (auto& thread : threads_) {
    if (thread.joinable()) {
      thread.join();
    }
  }
}

void WorkerGroup::start(std::function<void()> work) try {
  threads_.emplace_back([this, work = std::move(work)] { run(work); });
} catch (const std::system_error& failure) {
  throw Error("cannot start a thread: " + failure.code().message() +
              ". Allow more processes (ulimit -u), or use fewer --threads");
}

void WorkerGroup::run(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    bool first = false;
    {
      const std::lock_guard lock(mutex_);
      if (!failure_) {
        failure_ = std::current_exception();
        first = true;
      }
    }
    if (first && on_failure_) {
      on_failure_();
    }
  }
}

void WorkerGroup::join() {
  for (auto& thread : threads_) {
    thread.join();
  }
  threads_.clear();
  if (failure_) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work) {
  if (std::min(threads, count) <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      work(i);
    }
    return;
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  WorkerGroup group([&] { failed = true; });
  for (std::size_t thread = 0; thread < std::min(threads, count); ++thread) {
    group.start([&] {
      for (std::size_t i = next++; i < count && !failed; i = next++) {
        work(i);
      }
    });
  }
  group.join();
}

std::size_t available_processors() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) {
    return std::max(1U, std::thread::hardware_concurrency());
  }
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&processors)));
}

}  // namespace molgauge
