#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "molecules/encoding/pipeline/row_table.h"

namespace molgauge::pipeline {

/// Wraps another table and writes single rows later, in a separate thread. Otherwise, calls with one molecule
/// would wait longer for the disk than for the encoder. The thread writes all waiting rows together. If
/// write() is called with several rows, these rows are on disk when it returns.
///
/// find() and read() also return waiting rows. The destructor writes the waiting rows. If the process is
/// killed, at most kMaxWaiting rows are lost, and the next run computes them again. If the thread cannot
/// write rows, these rows count as absent. The next write() throws the exception. If there is no other
/// write(), the destructor logs it.
class WriteBehindTable : public RowTable {
 public:
  /// Maximum number of waiting rows. If there are that many, write() waits.
  static constexpr std::size_t kMaxWaiting = 64;

  explicit WriteBehindTable(std::unique_ptr<RowTable> table);
  ~WriteBehindTable() override;
  WriteBehindTable(const WriteBehindTable&) = delete;
  WriteBehindTable& operator=(const WriteBehindTable&) = delete;

  std::vector<bool> find(std::span<const Hash128> keys) override;
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override;
  void write(std::span<const Hash128> keys, std::span<const float> rows) override;

 private:
  using Rows = std::map<Hash128, std::vector<float>>;

  void write_waiting();
  void wait_until_at_most(std::size_t rows, std::unique_lock<std::mutex>& lock);

  const std::unique_ptr<RowTable> table_;
  std::mutex mutex_;
  std::condition_variable came_, went_;
  Rows waiting_;  ///< rows that are not on disk yet
  /// Exception of the thread, until write() throws it or the destructor logs it.
  std::exception_ptr failure_;
  bool ends_ = false;
  std::thread writer_;  ///< started by the first single row
};

}  // namespace molgauge::pipeline
