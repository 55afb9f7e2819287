#pragma once

#include <span>
#include <vector>

#include "base/core/hash.h"
#include "molecules/encoders/encoder.h"
#include "molecules/store/features/feature_store.h"

namespace molgauge::pipeline {

/// Finds and stores rows for the pipeline. The rows are in the feature store, or in a table of a test.
///
/// Thread safety: different methods may be called at the same time, but each method only by one thread at a
/// time. After a write() has finished, every later find() and read() finds its rows.
class RowTable {
 public:
  virtual ~RowTable() = default;
  /// Element i of the result tells whether keys[i] has a row.
  virtual std::vector<bool> find(std::span<const Hash128> keys) = 0;
  /// Reads the row of keys[i] into row i of `rows` (row-major [keys.size(), width]). Element i of the result
  /// tells whether keys[i] has a row.
  virtual std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) = 0;
  /// Stores row i of `rows` (row-major [keys.size(), width]) under keys[i]. The rows are on disk when this
  /// returns, except a single row in a WriteBehindTable.
  virtual void write(std::span<const Hash128> keys, std::span<const float> rows) = 0;
};

/// The rows of one encoder in a feature store.
class StoredRows : public RowTable {
 public:
  /// `threads`: maximum number of threads in read().
  explicit StoredRows(store::FeatureTable table, std::size_t threads = 1)
      : table_(std::move(table)), threads_(threads) {}
  std::vector<bool> find(std::span<const Hash128> keys) override { return table_.find(keys); }
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    return table_.read(keys, rows, threads_);
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    table_.write(keys, rows);
  }

 private:
  store::FeatureTable table_;
  std::size_t threads_;
};

/// The feature space of the rows of an encoder. It includes the options for making coordinates.
store::FeatureSpace feature_space(const encoders::Encoder& encoder);

}  // namespace molgauge::pipeline
