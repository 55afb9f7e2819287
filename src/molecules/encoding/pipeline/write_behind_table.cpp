#include "molecules/encoding/pipeline/write_behind_table.h"

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include "base/core/session/log.h"

namespace molgauge::pipeline {

WriteBehindTable::WriteBehindTable(std::unique_ptr<RowTable> table) : table_(std::move(table)) {}

WriteBehindTable::~WriteBehindTable() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  came_.notify_all();
  if (writer_.joinable()) {
    writer_.join();
  }
  if (failure_) {
    try {
      std::rethrow_exception(failure_);
    } catch (const std::exception& problem) {
      log_warning("features were not written to the store and will be computed again: {}", problem.what());
    }
  }
}

std::vector<bool> WriteBehindTable::find(std::span<const Hash128> keys) {
  std::vector<bool> waits(keys.size());
  {
    const std::lock_guard lock(mutex_);
    std::transform(keys.begin(), keys.end(), waits.begin(),
                   [&](const Hash128& key) { return waiting_.contains(key); });
  }
  // Rows stay in `waiting_` until they are on disk. A row that is not in `waiting_` is therefore in the
  // table, or does not exist.
  if (std::find(waits.begin(), waits.end(), false) == waits.end()) {
    return waits;
  }
  std::vector<bool> found = table_->find(keys);
  std::transform(found.begin(), found.end(), waits.begin(), found.begin(), std::logical_or());
  return found;
}

std::vector<bool> WriteBehindTable::read(std::span<const Hash128> keys, std::span<float> rows) {
  const std::size_t width = keys.empty() ? 0 : rows.size() / keys.size();
  std::map<std::size_t, std::vector<float>> waited;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < keys.size() && !waiting_.empty(); ++i) {
      if (const auto row = waiting_.find(keys[i]); row != waiting_.end()) {
        waited.emplace(i, row->second);
      }
    }
  }
  std::vector<bool> found(keys.size(), true);
  if (waited.size() < keys.size()) {
    found = table_->read(keys, rows);
  }
  for (const auto& [i, row] : waited) {
    std::ranges::copy(row, rows.subspan(i * width, width).begin());
    found[i] = true;
  }
  return found;
}

void WriteBehindTable::write(std::span<const Hash128> keys, std::span<const float> rows) {
  std::unique_lock lock(mutex_);
  wait_until_at_most(keys.size() == 1 ? kMaxWaiting - 1 : 0, lock);
  if (failure_) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  if (keys.size() != 1) {
    lock.unlock();
    table_->write(keys, rows);
    return;
  }
  try {
    if (!writer_.joinable()) {
      writer_ = std::thread([this] { write_waiting(); });
    }
  } catch (const std::system_error&) {  // no thread could be started: writes in this thread
    lock.unlock();
    table_->write(keys, rows);
    return;
  }
  waiting_.insert_or_assign(keys.front(), std::vector<float>(rows.begin(), rows.end()));
  came_.notify_one();
}

void WriteBehindTable::wait_until_at_most(std::size_t rows, std::unique_lock<std::mutex>& lock) {
  went_.wait(lock, [&] { return waiting_.size() <= rows; });
}

/// The loop of the writing thread.
void WriteBehindTable::write_waiting() {
  std::unique_lock lock(mutex_);
  while (true) {
    came_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) {
      return;
    }
    std::vector<Hash128> keys;
    std::vector<float> rows;
    try {
      for (const auto& [key, row] : waiting_) {
        keys.push_back(key);
        rows.insert(rows.end(), row.begin(), row.end());
      }
      lock.unlock();
      table_->write(keys, rows);
      lock.lock();
    } catch (...) {
      const bool is_out_of_memory = lock.owns_lock();  // memory ran out while the rows were gathered
      if (!is_out_of_memory) {
        lock.lock();
      }
      failure_ = std::current_exception();
      if (is_out_of_memory) {
        waiting_.clear();
      }
    }
    for (const Hash128& key : keys) {
      waiting_.erase(key);
    }
    went_.notify_all();
  }
}

}  // namespace molgauge::pipeline
