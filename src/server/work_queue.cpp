#include "server/work_queue.h"

#include <algorithm>
#include <vector>

namespace molgauge::serve {
namespace {

/// Time between two requests to stop. The watcher repeats the request, because it has no effect if the engine
/// call has not begun yet.
constexpr auto kWatch = std::chrono::milliseconds(100);
/// After a part of long work, small work may run before the next part. It gets kSmallTimesLarge times the
/// duration of that part, and at least kLeastTimeOfSmall.
constexpr int kSmallTimesLarge = 3;
constexpr std::chrono::duration<double> kLeastTimeOfSmall{1};
constexpr std::chrono::duration<double> kLongestRest{2};
/// Long work continues if no small work has ended for this time. Without this time, a client that sends one
/// request after another would wait for long work after each pause between its requests.
constexpr std::chrono::seconds kQuiet{1};
/// Small work that has waited for this time runs before less costly work.
constexpr std::chrono::seconds kLongestOvertaken{1};

}  // namespace

WorkQueue::WorkQueue(Session& session, std::size_t max_waiting, double max_seconds)
    : session_(session), max_waiting_(max_waiting), max_seconds_(max_seconds) {
  worker_ = std::thread([this] { work(); });
  watcher_ = std::thread([this] { watch(); });
}

WorkQueue::~WorkQueue() { close(); }

bool WorkQueue::add(const std::shared_ptr<Work>& work, Length length, bool is_known) {
  const std::lock_guard lock(mutex_);
  auto& queue = length == Length::small ? small_ : large_;
  if (closed_ || (!is_known && queue.size() >= max_waiting_)) {
    return false;
  }
  queue.push_back(work);
  wake_.notify_all();
  return true;
}

WorkQueue::Clock::time_point WorkQueue::end_of_rest() const {
  const auto rest = std::chrono::duration_cast<Clock::duration>(std::min(kLongestRest, last_large_));
  return std::min(large_ended_ + rest, small_ended_ + kQuiet);
}

bool WorkQueue::wait_for_work(std::unique_lock<std::mutex>& lock) {
  while (!closed_ && small_.empty() && (large_.empty() || Clock::now() < end_of_rest())) {
    if (large_.empty()) {
      wake_.wait(lock);
    } else {
      wake_.wait_until(lock, end_of_rest());
    }
  }
  return !closed_;
}

void WorkQueue::cancel(const std::shared_ptr<Work>& work) {
  {
    const std::lock_guard lock(mutex_);
    work->cancelled_ = true;
    for (auto* const queue : {&small_, &large_}) {
      const auto found = std::find(queue->begin(), queue->end(), work);
      if (found != queue->end() && !work->has_begun_) {
        queue->erase(found);
        break;
      }
      if (found != queue->end() || running_ == work) {
        wake_.notify_all();  // the next part or the running call notices the change
        return;
      }
    }
    if (running_ == work || work->has_begun_) {
      return;
    }
  }
  work->dropped_();
}

std::shared_ptr<Work> WorkQueue::next() {
  const bool is_turn_of_large = time_of_small_ >= std::max(kLeastTimeOfSmall, kSmallTimesLarge * last_large_);
  runs_large_ = !large_.empty() && (small_.empty() || is_turn_of_large);
  auto& queue = runs_large_ ? large_ : small_;
  auto chosen = queue.begin();
  if (!runs_large_ && Clock::now() - small_.front()->added_ < kLongestOvertaken) {
    chosen = std::min_element(queue.begin(), queue.end(),
                              [](const auto& a, const auto& b) { return a->cost_ < b->cost_; });
  }
  auto work = std::move(*chosen);
  queue.erase(chosen);
  return work;
}

void WorkQueue::count(std::chrono::duration<double> time) {
  if (runs_large_) {
    time_of_small_ = time_of_small_.zero();
    last_large_ = time;
    large_ended_ = Clock::now();
  } else {
    time_of_small_ += time;
    small_ended_ = Clock::now();
  }
}

void WorkQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (!wait_for_work(lock)) {
      has_ended_ = true;
      wake_.notify_all();
      return;
    }
    running_ = next();
    running_->has_begun_ = true;
    begun_ = Clock::now();
    const auto work = running_;
    lock.unlock();
    const Work::Outcome outcome = work->run_();
    lock.lock();
    const std::chrono::duration<double> time = Clock::now() - begun_;
    work->used_ += time;
    if (work->yields_.exchange(false)) {
      work->turn_ *= 2;
    }
    count(time);
    running_.reset();
    if (outcome == Work::Outcome::more) {
      large_.push_back(work);  // close() removes the work
    }
    ended_.notify_all();
  }
}

void WorkQueue::watch() {
  std::unique_lock lock(mutex_);
  while (!has_ended_) {
    wake_.wait_for(lock, kWatch);
    if (running_ != nullptr) {
      watch_running();
    }
  }
}

void WorkQueue::watch_running() {
  const auto now = Clock::now();
  Work& work = *running_;
  if (work.used_ + (now - begun_) > std::chrono::duration<double>(max_seconds_)) {
    work.out_of_time_ = work.cancelled_ = true;
  }
  if (now > interrupt_at_) {
    work.ending_ = true;
  }
  if (work.can_yield && !small_.empty() && now - begun_ > work.turn_) {
    work.yields_ = true;
  }
  if (work.cancelled_ || work.ending_ || work.yields_) {
    session_.stop();
  }
}

void WorkQueue::close(std::chrono::duration<double> patience) {
  std::vector<std::shared_ptr<Work>> dropped;
  const auto take_all = [&] {
    for (auto* const queue : {&small_, &large_}) {
      dropped.insert(dropped.end(), queue->begin(), queue->end());
      queue->clear();
    }
  };
  const auto drop_all = [&] {
    for (const auto& work : dropped) {
      work->dropped_();
    }
    dropped.clear();
  };
  {
    const std::lock_guard lock(mutex_);
    if (closed_) {
      return;
    }
    closed_ = true;
    interrupt_at_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
    take_all();
    wake_.notify_all();
  }
  drop_all();
  worker_.join();
  watcher_.join();
  take_all();  // takes work whose part ended after the first take_all()
  drop_all();
}

WorkQueue::Counts WorkQueue::counts() const {
  const std::lock_guard lock(mutex_);
  return {running_ ? std::size_t{1} : 0, small_.size() + large_.size(), max_waiting_};
}

}  // namespace molgauge::serve
