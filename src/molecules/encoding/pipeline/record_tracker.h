#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/core/hash.h"
#include "base/core/session/progress.h"
#include "base/runtime/failure_log.h"
#include "molecules/chem/record.h"

namespace molgauge::pipeline {

/// The state of every record: being encoded, finished or failed. Makes sure that a text is computed only
/// once, and shows the progress.
///
/// Memory: the records that are being encoded, and the reasons of the last failed texts. For finished
/// records, only their number is stored. Thread safety: every method may be called from any thread.
class RecordTracker {
 public:
  /// `scratch`: see FailureLog.
  explicit RecordTracker(Progress& progress, std::filesystem::path scratch = {})
      : progress_(progress), failed_(std::move(scratch)) {}

  /// Adds a record. Returns false if the same text is being encoded or has failed. Otherwise, returns true,
  /// and the caller must then call written(), found() or failed() for the key.
  bool admit(const Hash128& key, const chem::MoleculeRecord& record);

  /// Call it if the store already has the row of the text.
  void found(const Hash128& key);
  /// Call it after the rows of these texts have been computed and are on disk.
  void written(std::span<const Hash128> keys);
  /// Call it if the text is invalid or cannot be encoded. All records with this text are reported.
  void failed(const Hash128& key, const chem::MoleculeRecord& record, const std::string& reason);

  /// Call it if the encoder uses only some atoms of a molecule.
  void cropped() { ++cropped_; }
  /// Call it after a batch has gone through the encoder.
  void encoded_batch() { ++batches_; }

  bool any_failed() const;
  std::size_t batches() const { return batches_; }
  std::size_t cropped_molecules() const { return cropped_; }
  std::size_t encoded() const;
  /// Moves the failed records out of the tracker.
  FailureLog take_failed();

 private:
  /// The position of a record. in_work_ maps the key of a text to the positions of all records with this
  /// text.
  struct Origin {
    std::size_t row, line;
    std::string file;
  };
  struct HashOfHash {
    std::size_t operator()(const Hash128& key) const {
      std::size_t first;
      std::memcpy(&first, key.data(), sizeof first);
      return first;
    }
  };
  std::size_t finish(const Hash128& key);
  void report(const Origin& origin, const std::string& text, const std::string& reason);

  Progress& progress_;
  std::atomic<std::size_t> batches_{0}, cropped_{0};
  mutable std::mutex mutex_;
  std::size_t encoded_ = 0;
  std::unordered_map<Hash128, std::vector<Origin>, HashOfHash> in_work_;
  std::unordered_map<Hash128, std::string, HashOfHash> reasons_;  ///< reasons of the last texts that failed
  FailureLog failed_;
};

}  // namespace molgauge::pipeline
