#pragma once

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "encoding/pipeline/row_table.h"

namespace headroom::pipeline {

/// The rows of another table, of which single ones are written a little later, by a thread of this object:
/// for calls with one molecule each, which would wait longer for the disk than for the encoder. Those that
/// have come meanwhile are written together. Several rows at once are on disk when write() returns, as with
/// every table.
///
/// A row that waits is found and read like any other. The destructor writes what waits. A process that is
/// killed loses the rows that wait, at most kMaxWaiting; they are computed again then. What the writing of
/// such rows throws is thrown by the next write(), and they count as absent; the destructor logs it.
class WriteBehindTable : public RowTable {
 public:
  /// write() waits while so many rows do.
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
  std::exception_ptr failure_;  ///< of the thread, until it is told
  bool ends_ = false;
  std::thread writer_;  ///< started by the first single row
};

}  // namespace headroom::pipeline
