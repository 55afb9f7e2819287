#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "encoding/pipeline/row_table.h"

namespace headroom::pipeline {

/// Wraps another table and writes single rows later, in its own thread. Calls with one molecule would
/// otherwise wait longer for the disk than for the encoder. The thread writes all waiting rows together.
/// Several rows at once are on disk when write() returns, as with every table.
///
/// find() and read() also return waiting rows. The destructor writes the waiting rows. A killed process loses
/// at most kMaxWaiting rows, and the next run computes them again. If the thread fails to write rows, they
/// count as absent. The next write() throws the exception, or the destructor logs it.
class WriteBehindTable : public RowTable {
 public:
  /// Maximum number of waiting rows. write() waits until there are fewer.
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
  Rows waiting_;                ///< until they are on disk
  std::exception_ptr failure_;  ///< exception of the thread, until it is thrown or logged
  bool ends_ = false;
  std::thread writer_;  ///< started by the first single row
};

}  // namespace headroom::pipeline
