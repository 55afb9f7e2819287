#include "server/lane.h"

#include <utility>

namespace molgauge::serve {

Lane::Lane(std::size_t max_waiting) : max_waiting_(max_waiting) {
  thread_ = std::thread([this] { work(); });
}

Lane::~Lane() { close(); }

bool Lane::add(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (closed_ || tasks_.size() >= max_waiting_) {
    return false;
  }
  tasks_.push_back(std::move(task));
  wake_.notify_one();
  return true;
}

void Lane::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) {
      return;
    }
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void Lane::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    wake_.notify_one();
  }
  if (thread_.joinable()) {
    thread_.join();
  }
}

}  // namespace molgauge::serve
