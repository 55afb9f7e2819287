#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/hash.h"
#include "encoders/encoder.h"
#include "pipeline/row_table.h"
#include "store/blobs/blob_store.h"

namespace headroom::pipeline {

/// The features of atoms and of pairs of one encoder in a store: a value for each molecule, under the key of
/// its row, of float32 numbers as FineFeatures has them. A table that is not wanted is not there.
///
/// Thread safety: as BlobTable.
struct FineTables {
  std::optional<store::BlobTable> atoms, pairs;

  /// Those that the encoder gives (Encoder::fine).
  FineTables(const store::BlobStore& store, const encoders::Encoder& encoder);
  /// Element i: whether all that is wanted of keys[i] is there.
  std::vector<bool> find(std::span<const Hash128> keys) const;
};

/// The rows of molecules of which the features of atoms and of pairs are wanted, too: a molecule without them
/// is encoded anew.
class RowsWithFine : public RowTable {
 public:
  /// `tables` outlives the object.
  RowsWithFine(std::unique_ptr<RowTable> rows, const FineTables& tables)
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
  const FineTables& tables_;
};

/// Writes features as they come, in transactions of a few mebibytes, so that a batch takes little memory
/// beside its tensors. One thread at a time.
class FineWriter {
 public:
  explicit FineWriter(const FineTables& tables) : tables_(tables) {}
  void add(const Hash128& key, const encoders::FineFeatures& features);
  /// What was added is on disk when this returns.
  void flush();

  /// Bytes that so many writers side by side hold at most, together with the store's transaction, where a
  /// molecule's features take `largest` bytes at most.
  static std::uint64_t bytes_held(std::size_t writers, std::uint64_t largest);

 private:
  const FineTables& tables_;
  std::vector<Hash128> keys_;
  std::vector<store::Blob> atoms_, pairs_;
  std::size_t bytes_ = 0;
};

}  // namespace headroom::pipeline
