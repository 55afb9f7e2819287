#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/core/hash.h"
#include "molecules/encoders/encoder.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/store/blobs/blob_store.h"

namespace molgauge::pipeline {

/// The atom features and pair features of one encoder in a store. Each molecule has one value under the key
/// of its row: float32 numbers in the layout of AtomPairFeatures. The table of a kind of features exists only
/// if this kind was requested.
///
/// Thread safety: as for BlobTable.
struct AtomPairTables {
  std::optional<store::BlobTable> atoms, pairs;

  /// Opens the tables of the features that the encoder computes (Encoder::fine).
  AtomPairTables(const store::BlobStore& store, const encoders::Encoder& encoder);
  /// Element i of the result tells whether all requested features of keys[i] are stored.
  std::vector<bool> find(std::span<const Hash128> keys) const;
};

/// Wraps a table of rows for molecules that also have atom features or pair features. find() reports a
/// molecule only if its row and its requested features are stored.
class RowsWithAtomPairs : public RowTable {
 public:
  /// `tables` must outlive the object.
  RowsWithAtomPairs(std::unique_ptr<RowTable> rows, const AtomPairTables& tables)
      : rows_(std::move(rows)), tables_(tables) {}
  std::vector<bool> find(std::span<const Hash128> keys) override;
  std::vector<bool> read(std::span<const Hash128> keys, std::span<float> rows) override {
    return rows_->read(keys, rows);
  }
  void write(std::span<const Hash128> keys, std::span<const float> rows) override {
    rows_->write(keys, rows);
  }

 private:
  std::unique_ptr<RowTable> rows_;
  const AtomPairTables& tables_;
};

/// Writes the features of all workers in shared transactions of a few mebibytes, because each transaction
/// costs a sync of the disk.
///
/// Thread safety: every method may be called from any thread.
class FineWriter {
 public:
  explicit FineWriter(const AtomPairTables& tables) : tables_(tables) {}
  /// Adds features. If the waiting features reach a few mebibytes, calls flush(). Throws the errors of
  /// BlobTable::write().
  void add(const Hash128& key, const encoders::AtomPairFeatures& features);
  /// Writes all waiting features. Features added before the call are on disk when this returns. If a
  /// transaction fails, the next call of flush() writes its features.
  void flush();

  /// Upper bound of the bytes that the waiting features and the transaction of the store take. `largest`:
  /// maximum bytes of the features of one molecule.
  static std::uint64_t bytes_held(std::size_t workers, std::uint64_t largest);

 private:
  struct Features {
    std::vector<Hash128> keys;
    std::vector<store::Blob> atoms, pairs;
    std::size_t bytes = 0;
  };
  /// Writes the features in writing_. The caller holds writing_mutex_.
  void write() const;

  const AtomPairTables& tables_;
  std::mutex mutex_;
  Features waiting_;
  std::mutex writing_mutex_;
  Features writing_;
};

}  // namespace molgauge::pipeline
