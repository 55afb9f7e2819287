#include "molecules/encoding/pipeline/work_queue.h"

#include <utility>

namespace molgauge::pipeline {

bool WorkQueue::push(Chunk chunk) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return closed_ || chunks_.size() < capacity_; });
  if (closed_) {
    return false;
  }
  chunks_.push_back(std::move(chunk));
  changed_.notify_one();
  return true;
}

void WorkQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  room_.notify_all();
  changed_.notify_all();
}

std::optional<WorkQueue::Work> WorkQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return abandoned_ || !batches_.empty() || !chunks_.empty() || all_done(); });
  if (!batches_.empty()) {
    std::optional<Work> work(std::move(batches_.front()));
    batches_.pop_front();
    return work;
  }
  if (!chunks_.empty()) {
    std::optional<Work> work(std::move(chunks_.front()));
    chunks_.pop_front();
    ++chunks_in_work_;
    room_.notify_one();
    return work;
  }
  return std::nullopt;
}

void WorkQueue::finish_chunk(std::vector<Batch> ready) {
  const std::lock_guard lock(mutex_);
  --chunks_in_work_;
  if (!abandoned_) {
    for (Batch& batch : ready) {
      batches_.push_back(std::move(batch));
    }
  }
  changed_.notify_all();
}

void WorkQueue::abandon() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  abandoned_ = true;
  chunks_.clear();
  batches_.clear();
  room_.notify_all();
  changed_.notify_all();
}

}  // namespace molgauge::pipeline
