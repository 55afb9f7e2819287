#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace molgauge {

/// A queue between two stages of a pipeline. The faster stage waits for the slower stage.
///
/// Thread safety: every method may be called from any thread. Invariants: the queue holds at most `capacity`
/// items. After close(), it accepts no more items, but still returns the items that it holds. After
/// abandon(), it neither accepts nor returns items. If one stage fails, abandon() therefore ends all stages.
template <typename Item>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  /// Waits for room. If the queue is closed, drops the item and returns false.
  bool push(Item item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return closed_ || items_.size() < capacity_; });
    if (closed_) {
      return false;
    }
    items_.push_back(std::move(item));
    filled_.notify_one();
    return true;
  }

  /// Waits for an item. Returns nothing if the queue is abandoned, or closed and drained.
  std::optional<Item> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) {
      return std::nullopt;
    }
    std::optional<Item> item(std::move(items_.front()));
    items_.pop_front();
    room_.notify_one();
    return item;
  }

  /// Waits for an item and takes all items. Returns an empty list if the queue is abandoned, or closed and
  /// drained.
  std::deque<Item> pop_all() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return closed_ || !items_.empty(); });
    room_.notify_all();
    return std::exchange(items_, {});
  }

  /// Announces that no more items will come.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    wake_all();
  }

  /// Drops the items that are left.
  void abandon() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    items_.clear();
    wake_all();
  }

 private:
  void wake_all() {
    room_.notify_all();
    filled_.notify_all();
  }

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable room_, filled_;
  std::deque<Item> items_;
  bool closed_ = false;
};

}  // namespace molgauge
